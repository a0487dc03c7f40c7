package repl

import "strings"

// A shape says which bare words a program, or one of its subcommands, takes.
type shape struct {
	// most is how many words may be there that nothing accounts for; -1: any number.
	most int
	// files: an ordinary word has to be a file that is there.
	files bool
	// named: the first of them is a name that is no ordinary word, as of a remote or an image.
	named bool
	// code: the first word is code or a path, never a bare word.
	code bool
	// pattern: the first word is a text to look for.
	pattern bool
	// runs: the words are a command line of their own.
	runs bool
	// host: the first is a name, and the others are a command line of their own.
	host bool
	// mixed: names are made up, so one may be an ordinary word beside others.
	mixed bool
	// any: what the words are says nothing.
	any bool
}

// shapeOf reads the letters of a table: a number or "*" for most, and f, n, c, t, r, h,
// m and a for the marks of a shape, in their order.
func shapeOf(s string) shape {
	var sh shape
	for _, c := range s {
		switch c {
		case '*':
			sh.most = -1
		case 'f':
			sh.files = true
		case 'n':
			sh.named = true
		case 'c':
			sh.code = true
		case 't':
			sh.pattern = true
		case 'r':
			sh.runs = true
		case 'h':
			sh.host = true
		case 'm':
			sh.mixed = true
		case 'a':
			sh.any = true
		default:
			sh.most = int(c - '0')
		}
	}
	return sh
}

// programShape is the shape of a program without subcommands.
func programShape(name string) shape {
	switch name {
	case "echo", "printf", "true", "false":
		return shapeOf("*a")
	case "grep", "rg", "fd", "ag":
		return shapeOf("*tf")
	case "awk", "sed", "jq":
		return shapeOf("*cf")
	case "cd":
		return shapeOf("1a")
	case "rm", "rmdir", "ls", "du", "wc", "vim", "vi", "nvim", "nano", "emacs", "gzip", "gunzip", "unzip", "gcc", "rustc", "cmake",
		"rsync", "scp", "journalctl", "ps", "df", "htop", "btop", "uname", "whoami", "pwd", "chmod", "sqlite3":
		return shapeOf("*f")
	case "cp", "mv":
		return shapeOf("2f")
	case "mkdir", "ln":
		return shapeOf("*m")
	case "chown":
		return shapeOf("1")
	case "python", "python3":
		return shapeOf("*c")
	case "tar":
		return shapeOf("*c")
	case "curl", "wget":
		return shapeOf("1nf")
	case "sudo", "xargs", "time":
		return shapeOf("*r")
	case "ssh":
		return shapeOf("*h")
	case "npx":
		return shapeOf("*n")
	case "psql":
		return shapeOf("2")
	case "unset":
		return shapeOf("*nf")
	}
	return shapeOf("*")
}

// subcommands is the table of a program that has them: each with a shape, and after
// a slash the words that may follow it, if it has subcommands of its own. "" is no
// such program.
func subcommands(name string) string {
	switch name {
	case "git":
		return "add=*f am=*f apply=*f archive=1 bisect/start,good,bad,reset,skip,run,log=1 blame=*f branch=2 bundle=2f cat-file=2 " +
			"checkout=2 cherry=2n cherry-pick=*n clean=*f clone=2n commit=*f config/get,set,list,unset=2 describe=1n diff=2f difftool=2f fetch=2n " +
			"fsck=0 gc=0 grep=*tf help=1 init=1n log=*f ls-files=*f maintenance/start,stop,run=0 merge=*n mergetool=*f mv=2f notes/add,show,list=1 pull=2n " +
			"push=2n rebase=2n reflog/show,expire,delete=1 remote/add,remove,rm,rename,set-url,get-url,show,prune,update,set-head=2 reset=*n " +
			"restore=*f revert=*n rev-parse=*n rm=*f shortlog=*f show=*f sparse-checkout/set,add,list,init,disable=*f " +
			"stash/list,pop,apply,drop,show,push,clear,save,branch=1n status=*f submodule/add,update,init,sync,status,foreach,deinit=1 switch=1 " +
			"tag=2 worktree/add,list,remove,prune,move=2 "
	case "npm", "pnpm", "yarn":
		return "access=1 add=* audit/fix,signatures=0 build=0 cache/clean,verify,ls,list,dir=0 ci=0 config/set,get,list,ls,delete,edit=2 create=2n " +
			"dedupe=0 deploy=0 dev=0 dist-tag/add,rm,ls=1 dlx=*n doctor=0 exec=*n explain=1n format=0 fund=0 global=*n help=1 i=* info=1n init=1n install=* " +
			"link=1n lint=0 list=1n login=0 logout=0 ls=1n outdated=* pack=0 ping=0 pkg/get,set,delete=1 preview=0 prune=0 publish=0 rebuild=* remove=* " +
			"rm=* run=1 run-script=1 search=* serve=0 start=0 stop=0 store/prune,path,status=0 storybook=0 t=0 test=0 tst=0 typecheck=0 un=* uninstall=* " +
			"unlink=1n up=* update=* upgrade=* upgrade-interactive=0 version/major,minor,patch,prerelease=0 view=2n watch=0 whoami=0 why=1n workspace=2 workspaces=1 "
	case "docker", "podman":
		return "attach=1 build=1f builder/prune,build,ls=0 buildx/build,ls,create,use,rm,inspect,bake=1 commit=2 " +
			"compose/up,down,ps,logs,build,pull,push,restart,start,stop,run,exec,config,rm,kill,top,images,create,pause,unpause,watch=* " +
			"container/ls,list,rm,stop,start,restart,inspect,logs,exec,run,prune,kill,rename=* context/ls,use,create,rm,show,inspect=1 cp=2f create=*n " +
			"diff=1 events=0 exec=*h export=1 history=1 image/ls,list,rm,prune,pull,push,inspect,build,tag,history,load,save=* images=1n import=2 info=0 " +
			"inspect=* kill=* load=0 login=1n logout=1n logs=1 machine/init,start,stop,ls,rm=1 network/ls,create,rm,inspect,connect,disconnect,prune=2 pause=* pod/create,ls,ps,rm,start,stop=1 " +
			"port=1 ps=0 pull=1n push=1n rename=2 restart=* rm=* rmi=* run=*nh save=1 search=1 start=* stats=* stop=* system/prune,df,info,events=0 " +
			"tag=2n top=1 unpause=* update=* version=0 volume/ls,create,rm,inspect,prune=* wait=* "
	case "kubectl":
		return "annotate=3 api-resources=0 api-versions=0 apply=0 attach=1 auth/can-i,whoami,reconcile=2 autoscale=2 cluster-info=0 " +
			"config/view,get-contexts,use-context,current-context,set-context,get-clusters,set-cluster,delete-context,set,unset,rename-context=2 cordon=1 cp=2f create=3 " +
			"debug=1 delete=* describe=* diff=0 drain=1 edit=2 exec=*h explain=1 expose=2 get=* label=3 logs=2 patch=2 port-forward=2 proxy=0 " +
			"replace=0 rollout/status,restart,undo,history,pause,resume=2 run=1 scale=2 set/image,env,resources=2 taint=2 top=2 uncordon=1 version=0 wait=2 "
	case "apt", "brew":
		return "autoclean=0 autoremove=0 build-dep=* bundle=0 cask=* clean=0 cleanup=* config=0 depends=1 deps=* doctor=0 download=* full-upgrade=0 " +
			"info=* install=* leaves=0 link=* list=* moo=0 outdated=0 pin=* purge=* reinstall=* remove=* search=* services/start,stop,restart,list,run=1 show=* " +
			"source=1 tap=1n uninstall=* unlink=* untap=1n update=0 upgrade=* uses=* "
	case "pip", "pip3":
		return "cache/purge,list,info,dir=0 check=0 config/list,get,set,edit=1 debug=0 download=* freeze=0 index/versions=1 inspect=0 install=* list=0 " +
			"search=1 show=* uninstall=* wheel=* "
	case "cargo":
		return "add=* b=0 bench=1 build=0 c=0 check=0 clean=0 clippy=0 doc=0 expand=1 fetch=0 fix=0 fmt=0 generate=1 info=1n init=1 install=* login=0 " +
			"metadata=0 new=1 nextest=1 outdated=0 owner=1n package=0 publish=0 r=0 remove=* rm=* run=0 search=* t=1m test=1m tree=0 uninstall=* update=* vendor=0 " +
			"version=0 watch=0 yank=1n "
	case "gh":
		return "alias/list,set,delete=2 api=1f auth/login,logout,status,refresh,token,setup-git=0 browse=1f cache/list,delete=1 codespace/create,list,ssh,stop,delete=1 " +
			"config/get,set,list=2 extension/install,list,remove,upgrade=1 gist/create,list,view,edit,delete,clone=1f " +
			"issue/create,list,view,close,reopen,edit,comment,status,develop,delete,transfer=1n label/list,create,delete=1 " +
			"pr/create,list,view,checkout,merge,close,diff,status,review,edit,ready,checks,comment,reopen=1n project/list,view,create=1 " +
			"release/create,list,view,download,upload,delete,edit=1 repo/create,clone,view,fork,list,delete,sync,edit,rename,archive=1 " +
			"run/list,view,watch,rerun,download,cancel=1n search/code,issues,prs,repos,commits=* secret/set,list,delete=1 ssh-key/add,list,delete=1f " +
			"status=0 variable/set,list,delete=1 workflow/list,run,view,enable,disable=1 "
	case "systemctl":
		return "cat=*m daemon-reload=0 disable=*m edit=1 enable=*m halt=0 hibernate=0 is-active=*m is-enabled=*m is-failed=*m kill=*m list-timers=0 " +
			"list-unit-files=0 list-units=0 mask=*m poweroff=0 reboot=0 reload=*m reset-failed=*m restart=*m show=*m start=*m status=*m stop=*m suspend=0 unmask=*m "
	case "terraform":
		return "apply=0 console=0 destroy=0 fmt=0 get=0 graph=0 import=1 init=0 login=1n output=1 plan=0 providers=0 refresh=0 show=0 " +
			"state/list,show,mv,rm,pull,push=2 taint=1 untaint=1 validate=0 version=0 workspace/list,select,new,delete,show=1 "
	case "tmux":
		return "a=0 at=0 attach=0 attach-session=0 detach=0 display=0 has-session=0 info=0 kill-pane=0 kill-server=0 kill-session=0 kill-window=0 list-keys=0 " +
			"list-sessions=0 list-windows=0 ls=0 new=1 new-session=1 new-window=1 rename-session=1 rename-window=1 send-keys=* set=* set-option=* show=* " +
			"source=1f source-file=1f split-window=0 switch=0 "
	}
	return ""
}

// subcommand looks a word up in the table of a program. next are the words that may
// follow it; nil if it has none of its own.
func subcommand(program, word string) (sh shape, next []string, ok bool) {
	table := subcommands(program)
	for entry := range strings.FieldsSeq(table) {
		name, letters, _ := strings.Cut(entry, "=")
		name, list, nested := strings.Cut(name, "/")
		if name != word {
			continue
		}
		if nested {
			next = strings.Split(list, ",")
		}
		return shapeOf(letters), next, true
	}
	return shape{}, nil, false
}

// isAccounted reports whether a word, in small letters, has a meaning of its own to a
// program, or is what people call such things, so that it is no prose: a kind of object
// for kubectl, a branch or a remote for git, a package that many install, a machine.
func isAccounted(program, word string) bool {
	list := ""
	switch program {
	case "git", "gh":
		list = " origin upstream main master develop trunk staging production release feature hotfix testing experimental "
	case "kubectl":
		list = " po svc deploy no ns cm ing sts ds rs ev pvc pv sa crd generic tls all pod service deployment node namespace configmap secret ingress job " +
			"cronjob statefulset daemonset replicaset event serviceaccount token role rolebinding clusterrole context "
		if stem, ok := strings.CutSuffix(word, "s"); ok && has(list, stem) || has(list, strings.TrimSuffix(word, "es")) {
			return true
		}
	case "npm", "pnpm", "yarn", "npx":
		list = " build start test dev lint format serve watch deploy clean preview release migrate seed generate types coverage docs storybook prepare bundle " +
			"express react vue next nuxt ember commander chalk debug async request moment jest mocha chai cypress prettier webpack parcel rollup vite less sass " +
			"passport helmet morgan nest joi yup tap sharp canvas classnames cors yarn pnpm npm typescript eslint lodash axios vitest nodemon tailwindcss postcss " +
			"autoprefixer dotenv uuid dayjs zod redux mongoose sequelize prisma knex pg mysql2 redis ws socket rxjs svelte angular babel gulp grunt husky turbo nx " +
			"tsx esbuild swc playwright puppeteer supertest pino winston inquirer ora glob rimraf concurrently zustand immer ramda underscore jquery three d3 "
	case "pip", "pip3":
		list = " requests click rich flask black celery pillow tornado attrs coverage poetry build wheel twine fire invoke fabric nose mock future six pyramid " +
			"bottle sphinx selenium playwright pandas torch transformers accelerate datasets evaluate keras django virtualenv " +
			"numpy scipy matplotlib seaborn jupyter jupyterlab notebook ipython pytest mypy ruff pylint isort flake8 tox httpx aiohttp fastapi uvicorn gunicorn " +
			"pydantic sqlalchemy alembic psycopg2 boto3 pyyaml jinja2 tqdm polars xgboost lightgbm plotly streamlit openai anthropic tensorflow torchvision " +
			"torchaudio pip setuptools pipx uv hatch pipenv typer loguru scrapy beautifulsoup4 lxml opencv statsmodels sympy networkx nltk spacy "
	case "apt", "brew", "apt-get":
		list = " tree node go watch wine screen make less fish bat fd git htop redis postgresql mysql ruby python rust gimp inkscape jq ripgrep fzf tmux neovim vim " +
			"zsh curl wget cmake ninja gcc clang llvm btop ncdu rsync ffmpeg imagemagick pandoc gh nginx apache2 sqlite sqlite3 openssl gnupg unzip zip p7zip " +
			"python3 python3-pip nodejs npm yarn pnpm docker podman kubectl helm terraform ansible shellcheck shfmt eza exa lsd zoxide starship direnv stow parallel " +
			"net-tools dnsutils nmap strace lsof valgrind gdb autoconf automake libtool bison flex "
	case "cargo":
		list = " serde tokio rand clap anyhow regex log rayon chrono url time bytes futures thiserror tracing reqwest hyper axum itertools uuid libc bat fd ripgrep just "
	}
	return has(list, word) || has(" server host database web backend frontend proxy gateway worker cache registry broker scheduler app api db queue agent redis "+
		"postgres auth login network mail monitor data ", word)
}
