/**
 * Scripts that call `evenkeel __complete` on each Tab, or the program that is typed with its path. They never evaluate the typed words or
 * the output.
 */
export const SCRIPTS: Readonly<Record<'bash' | 'zsh' | 'fish', string>> = {
  bash: `# bash completion for evenkeel
_evenkeel() {
  local word program=evenkeel
  case \${1-} in '~/'*) program=$HOME\${1#'~'} ;; */*) program=$1 ;; esac
  # Such as "$HOME/bin/evenkeel": typed words are not expanded here.
  command -v "$program" >/dev/null || program=evenkeel
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(command "$program" __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  # More follows after a folder, or after \`--report html=\`.
  if [[ \${#COMPREPLY[@]} -gt 0 && \${COMPREPLY[0]} == *[/=] ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o nosort -F _evenkeel evenkeel 2>/dev/null || complete -F _evenkeel evenkeel
`,
  zsh: `#compdef evenkeel
# zsh completion for evenkeel
_evenkeel() {
  local line word program=evenkeel
  case $words[1] in '~/'*) program=$HOME\${words[1]#'~'} ;; */*) program=$words[1] ;; esac
  command -v "$program" >/dev/null || program=evenkeel
  local -a words_found shown folders
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    if [[ $word == *[/=] ]]; then
      folders+=("$word")
    else
      words_found+=("$word")
      if [[ $line == *$'\\t'* ]]; then shown+=("$word -- \${line#*$'\\t'}"); else shown+=("$word"); fi
    fi
  done < <(command "$program" __complete zsh "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  local code=1
  if (( $#words_found )); then compadd -V evenkeel -l -d shown -a words_found && code=0; fi
  if (( $#folders )); then compadd -V folders -S '' -a folders && code=0; fi
  return code
}
if [[ $funcstack[1] == _evenkeel ]]; then _evenkeel "$@"; else compdef _evenkeel evenkeel; fi
`,
  fish: `# fish completion for evenkeel
function __evenkeel_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program evenkeel
    string match -q '*/*' -- $before[1]; and set program (string replace -r '^~/' "$HOME/" -- $before[1])
    set -e before[1]
    command $program __complete fish (string escape -- $before) "$current" 2>/dev/null
end
complete -c evenkeel -f -k -a '(__evenkeel_complete)'
`,
};
