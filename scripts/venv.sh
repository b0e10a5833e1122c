# Sourced by the scripts beside it: makes .venv once, with a Python that is new enough, and installs into it.
#   install_into_venv EXTRAS      such as local or dev; PYTHON names another interpreter
install_into_venv() {
    python=${PYTHON:-python3}
    if ! command -v "$python" >/dev/null; then
        echo "There is no '$python' here: install Python 3.11 or newer, or set PYTHON to one." >&2
        exit 1
    fi
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        echo "$("$python" --version) is too old: graph-memory needs Python 3.11 or newer." >&2
        echo "Install one and set PYTHON to it, such as PYTHON=python3.12 sh $0" >&2
        exit 1
    fi
    if ! [ -x .venv/bin/python ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        "$python" -m venv --clear .venv || {
            echo "'$python -m venv' failed: on Debian and Ubuntu, install the package python3-venv." >&2
            exit 1
        }
    fi
    echo "Installing graph-memory and what it needs into .venv (a minute or two the first time) ..." >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".[$1]"
}
