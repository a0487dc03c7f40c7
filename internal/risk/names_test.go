package risk

import "testing"

// TestG3Variables: what goes to programs is nothing only if its name is known to be
// harmless; a variable of the shell's own is none of theirs.
func TestG3Variables(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		`LC_ALL=C sort f`: Safe, `NO_COLOR=1 LANG=C ls`: Safe, `export LANG=C; ls`: Safe, `TZ=UTC date`: Safe, `env NO_COLOR=1 ls`: Safe, `AWS_PROFILE=p aws s3 ls`: Safe, `TERM=dumb ls`: Safe,
		`f=x; echo $f`: Safe, `OUT=x; ls $OUT`: Safe, `START_CMD=ls; echo "$START_CMD"`: Safe, `n=1 && echo $n`: Safe, `GIT_TRACE=1 git status`: Safe, `PAGER=cat git log`: Safe, `PROJECT_ROOT=$PWD; ls $PROJECT_ROOT`: Safe,
		`A=1 ls`: Caution, `env A=1 ls`: Caution, `export A=1; ls`: Caution, `declare -x A=1; ls`: Caution, `A=1; export A; ls`: Caution, `set -a; A=1; ls`: Caution, `set -o allexport; A=1; ls`: Caution,
		`builtin export A=1; ls`: Caution, `typeset -x A=1; ls`: Caution, `TERM=../x ls`: Caution, `nice env A=1 ls`: Caution,
		`CLOUDSDK_PYTHON=./x gcloud info`: Danger, `GOCACHEPROG=./x go list`: Danger, `GOENV=./x go list`: Danger, `GOAUTH=./x go list`: Danger, `PKG_CONFIG=./x go list`: Danger, `JAVA_HOME=./x mvn --version`: Danger,
		`KUBECTL_EXTERNAL_DIFF=x kubectl diff`: Danger, `BAT_CONFIG_PATH=x bat f`: Danger, `LUA_INIT_5_4=@x lua -v`: Danger, `GIO_EXTRA_MODULES=. gio list`: Danger, `LIBGL_DRIVERS_PATH=. glxinfo`: Danger,
		`LIBVA_DRIVERS_PATH=. vainfo`: Danger, `VK_LAYER_PATH=. vulkaninfo`: Danger, `MAGICK_CODER_MODULE_PATH=. identify f`: Danger, `ANSIBLE_INVENTORY=x ansible-inventory`: Danger, `AZURE_EXTENSION_DIR=. az account list`: Danger,
		`HELM_PLUGINS=. helm list`: Danger, `COMPOSER_HOME=. composer show`: Danger, `ASDF_DATA_DIR=. asdf list`: Danger, `PYENV_ROOT=. pyenv versions`: Danger, `VAULT_ADDR=http://x vault status`: Danger, `SSLKEYLOGFILE=k curl x`: Danger,
		`TF_CLI_ARGS_apply=-auto-approve terraform plan`: Danger, `ERL_AFLAGS=x erl -version`: Danger, `GIT_TRACE=/tmp/x git status`: Danger, `env CLOUDSDK_PYTHON=x gcloud info`: Danger, `export HELM_PLUGINS=.`: Danger,
		`START_CMD=x; export START_CMD; ls`: Danger, `export "HELM_PLUGINS=."`: Danger, `command export PATH=.`: Danger, `BASH_CMDS[ls]=./x; ls`: Danger, `BASH_ALIASES[ls]=./x; ls`: Danger, `BASH_FOO=1; ls`: Danger,
		`unset HISTFILE`: Danger, `unset KEN_ORIGIN; ken sessions`: Danger, `env -u KEN_ORIGIN ken sessions`: Danger, `env -uKEN_ORIGIN ken sessions`: Danger, `env --unset=KEN_ORIGIN ls`: Danger, `unset GIT_CONFIG_COUNT; git show`: Danger,
		`unset -v HISTFILE`: Danger, `builtin unset HISTFILE`: Danger, `unset f`: Safe, `f=1; unset f; ls`: Safe, `env -u FOO ls`: Safe, `unset "$x"; ls`: Caution, `env -i git status`: Caution, `env -i ls`: Safe,
	} {
		if v := Judge(line, here()); v.Level != want {
			t.Errorf("%s, want %s: %s: %v", v.Level, want, line, v.Reasons)
		}
	}
}

// TestG5Builtins: builtins are judged by the options that are known, and what they
// evaluate by where it is from.
func TestG5Builtins(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		`compgen -W '$(id)'`: Danger, `compgen -W "a b" a`: Danger, `compgen -C ./x`: Danger, `compgen -F f`: Danger, `compgen -c | head`: Safe, `compgen -A function`: Safe, `compgen -f -X '*.o' a`: Safe, `compgen -Z`: Caution,
		`complete -p`: Safe, `complete -C ./x ls`: Danger, `complete -W "a" ls`: Danger, `complete -F f ls`: Danger,
		`enable -f ./x.so x`: Danger, `enable -a`: Safe, `enable -n test`: Caution, `hash -p ./x ls`: Danger, `hash`: Safe, `hash -r`: Safe, `bind -x '"a":ls'`: Danger, `bind -p`: Safe, `bind '"a":self-insert'`: Caution,
		`read -r x < f; echo "$x"`: Safe, `read x < f; echo $((x))`: Caution, `read x < f; [[ $x -gt 3 ]] && ls`: Caution, `read x < f; ((x > 3)) && ls`: Caution, `n=$(head -1 f); (( n > 3 ))`: Caution,
		`n=$(head -1 f); let n+=1`: Caution, `n=$(head -1 f); echo ${a[n]}`: Caution, `n=$(head -1 f); echo ${s:n}`: Caution, `n=$(head -1 f); a[n]=1`: Caution, `n=$(head -1 f); declare -i m=n`: Caution,
		`n=$(head -1 f); [ "$n" -gt 3 ] && ls`: Safe, `n=$(head -1 f); [ -v "$n" ]`: Caution, `n=$(head -1 f); test -v $n`: Caution, `n=$(head -1 f); [[ -v $n ]]`: Caution, `echo 3 | while read n; do echo $((n+1)); done`: Caution,
		`for ((i=0;i<3;i++)); do echo $i; done`: Safe, `n=$(ls | wc -l); ((n > 3)) && ls`: Safe, `(( $# > 1 )) && ls`: Safe, `[[ $? -eq 0 ]] && ls`: Safe, `i=1; echo $((i+1))`: Safe, `for i in {1..3}; do echo $((i*2)); done`: Safe,
		`for i in $(seq 3); do echo $((i*2)); done`: Safe, `a=(x y); echo ${a[1]}`: Safe, `echo $(( $(date +%s) / 60 ))`: Safe, `f() { echo $(($1+1)); }; ls`: Safe, `x='a[0$(id)]'; echo $((x))`: Danger,
		`mapfile -t a < f; echo "${a[@]}"`: Safe, `mapfile -C 'rm -rf ~;' -c 1 a < f`: Danger, `mapfile -C ./x a < f`: Danger, `printf -v x %s y; echo $x`: Safe, `printf -v PATH %s y`: Danger, `read PATH`: Danger,
		`set -euo pipefail; ls`: Safe, `set +e; ls`: Safe, `set -k; ls`: Caution, `set +o history; ls`: Caution, `shopt -s nullglob; ls`: Safe, `shopt -s expand_aliases; ls`: Caution, `shopt -s extdebug`: Caution, `shopt`: Safe,
		`ulimit -n`: Safe, `ulimit -c unlimited; ls`: Safe, `wait -n`: Safe, `fc -l`: Safe, `fc -s`: Danger, `fc -e - 1`: Danger, `trap -p`: Safe, `trap 'rm -rf ~' EXIT`: Danger, `umask 022; ls`: Safe, `type ls`: Safe,
		`arr=(1 2 3); for i in "${!arr[@]}"; do echo $((arr[i])); done`: Safe, `n=5; for i in $(seq $n); do echo $((i*n)); done`: Safe, `declare -A m; read k; m[$k]=1; for i in "${!m[@]}"; do echo $((i)); done`: Caution,
		`arr=($(cat f)); echo $((arr[0]))`: Caution, `seq -f x 3 | while read n; do echo $((n)); done`: Caution, `cat f | xargs find .`: Caution, `cat f | xargs git log`: Caution, `git ls-files | xargs git blame`: Safe,
		`export -f f`: Danger, `declare -fx f`: Danger, `command_not_found_handle() { id; }; ls`: Danger, `ls() { id; }; ls`: Danger, `install() { ls; }`: Caution, `greet() { echo hi; }`: Safe,
		`declare -p x`: Safe, `declare -f`: Safe, `local -i x=3`: Safe, `export -p`: Caution, `declare -p`: Caution, `set`: Caution, `read -Z x`: Caution, `unset -n x`: Safe,
	} {
		if v := Judge(line, here()); v.Level != want {
			t.Errorf("%s, want %s: %s: %v", v.Level, want, line, v.Reasons)
		}
	}
}
