"""Records as tables and lists for people.

In: records. Out: what Rich prints. User text is printed whole and never read as markup.
"""
