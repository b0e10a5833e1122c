"""Words that name nobody by themselves: whom they mean depends on who speaks, which only the caller knows."""

from __future__ import annotations

from graph_memory.domain.name_forms import normalise

# By language. What is a name of people or places too is left out, such as "ben", "mia", "ella", "han".
_SPEAKER = """
i, i'm, i've, me, my, mine, myself, we, us, our, ours, ourselves, user, the user, this user, speaker, the speaker
ich, mich, mir, mein, meine, meiner, meinem, meinen, wir, uns, unser, unsere, nutzer, benutzer, der nutzer,
die nutzerin, der benutzer, die benutzerin, der sprecher, die sprecherin
je, j'ai, moi, mon, mes, nous, notre, utilisateur, l'utilisateur, l'utilisatrice
yo, mí, mío, mía, conmigo, nosotros, nosotras, nuestro, nuestra, usuario, el usuario, la usuaria
eu, meu, minha, nós, nosso, nossa, usuário, o usuário, a usuária, utilizador, o utilizador
io, nostro, nostra, utente, l'utente
ik, mij, mijn, wij, ons, onze, gebruiker, de gebruiker
jag, jeg, mig, mitt, vår, vores, användaren, brukeren, brugeren
ja, mnie, mój, moja, nasz, użytkownik, já, můj, uživatel
я, меня, мне, мой, моя, мы, нас, наш, пользователь, мій, ми, користувач
benim, biz, bizim, minä, minun, käyttäjä, én, felhasználó
我, 我的, 我们, 我們, 咱们, 用户, 用戶, 本人
私, わたし, 僕, 俺, 私たち, ユーザー
저, 나, 내, 우리, 사용자
أنا, نحن, المستخدم, אני, אנחנו, המשתמש
मैं, मेरा, मुझे, हम, उपयोगकर्ता, ผม, ฉัน, ดิฉัน, เรา, ผู้ใช้
tôi, của tôi, chúng tôi, người dùng, pengguna, εγώ, μου, εμείς
"""
_OTHERS = """
you, your, yours, he, him, his, she, her, hers, it, its, they, them, their, theirs
someone, somebody, everyone, everybody, nobody, anyone, anybody, this, that, these, those
du, dich, dir, dein, deine, er, ihn, ihm, sie, ihr, ihre, ihnen, es, euch, jemand, niemand
tu, toi, vous, votre, il, ils, elles, leur, quelqu'un
tú, usted, ustedes, vosotros, él, ellos, ellas, alguien, você, eles, elas, alguém
loro, voi, qualcuno, jij, jouw, hij, hem, zij, haar, iemand
dig, deg, honom, henne, hende, dem, någon, noen, nogen
ono, oni, jego, jej, ktoś, ты, вы, он, она, оно, они, её, их, ви, він, вона
siz, onlar, biri, sinä, hän, joku, ő, ők, valaki
你, 您, 你们, 他, 她, 它, 他们, 她们, 彼, 彼女, あなた, 彼ら, 당신, 너, 그, 그녀, 그들
أنت, هو, هي, هم, אתה, את, הוא, היא, הם, तुम, आप, वह, वे, คุณ, เขา, เธอ, มัน, พวกเขา
bạn, anh ấy, cô ấy, họ, kamu, mereka, εσύ, αυτός, αυτή, αυτό, αυτοί
"""


def _forms(listed: str) -> frozenset[str]:
    words = [word.strip() for word in listed.replace("\n", ",").split(",") if word.strip()]
    curled = [word.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") for word in words]
    return frozenset(map(normalise, (*words, *curled)))


_SPEAKER_FORMS, _OTHER_FORMS = _forms(_SPEAKER), _forms(_OTHERS)


def means_speaker(name: str) -> bool:
    """Whether a name is a word for whoever speaks, such as "I", "ich" or "the user"."""
    return _is_word(name) and normalise(name) in _SPEAKER_FORMS


def names_nobody(name: str) -> bool:
    """Whether a name is a word for the speaker or another who is not named, such as "she" or "jemand"."""
    return means_speaker(name) or (_is_word(name) and normalise(name) in _OTHER_FORMS)


def _is_word(name: str) -> bool:
    # In capitals it is an abbreviation: US, IT, EU.
    return len(name) == 1 or not name.isupper()
