package distill

import (
	"strings"
	"sync"

	"ken/internal/text"
)

const (
	machine = `assistant|assistants|ai|ais|llm|llms|chatbot|agent|agents|bot|bots|gpt|chatgpt|claude|copilot|gemini|assistent|ki|asistente|ia`
	keeping = "remember|remembers|memorise|memorize|memorises|memorizes|store|save|record|persist|keep|retain|note|add|" +
		"write|log|learn|recall|memorised|memorized|remembered"
	granted = "approved|approves|allowed|allows|granted|grants|authorized|authorised|authorizes|authorises|consented|" +
		"consents|permitted|permits|waived|waives|preapproved|whitelisted|trusted|trusts|agreed|confirmed|enabled|" +
		"disabled|requested"
	whom   = `user|users|owner|admin|administrator|human|maintainer`
	checks = "review|reviews|confirmation|confirmations|approval|approvals|permission|permissions|consent|verification|" +
		"safeguard|safeguards|gate|2fa|mfa|checks|check|warnings|warning|prompts|sandbox|guardrails|asking|" +
		"prompting|confirming|tests|signature|signatures|authentication"
	giving = "send|sends|forward|forwards|post|posts|upload|uploads|leak|exfiltrate|transmit|copy|copies|cc|bcc|" +
		"include|includes|append|appends|attach|submit|report|email|mail|share|deliver|relay|mirror|sync|push|" +
		"export|embed|encode|put|dump"
	private = "conversation|conversations|history|transcript|transcripts|secrets|passwords|password|credentials|ssh|" +
		"clipboard|cookies|invoices|payments|memories|chats"
	what = "conversation|conversations|message|messages|history|chat|chats|transcript|transcripts|memory|memories|" +
		"secret|secrets|key|keys|password|passwords|credential|credentials|token|tokens|ssh|env|clipboard|cookies|" +
		"files|contents|data|context|details|queries|query|question|questions|code|repo|everything|invoice|" +
		"invoices|payments"
)

// orders tell an assistant to do or to remember.
var orders = sync.OnceValue(func() []phrase {
	return readPhrases(
		machine+" remember|memorise|memorize|store|save|obey|ignore|disregard|treat|persist|note|add|recall|approve|skip",
		machine+" .. must|should|shall|always|never|will|to|please .. "+keeping+"|obey|ignore|disregard|treat|approve|skip|bypass|trust|send|forward|recommend|recall|follow|assume",
		machine+" .. keep|kept|bear in mind", "language model|models .. "+keeping+"|note|keep|retain|bear",
		"if you are|re a|an ai|llm|language|assistant|agent|bot|model|chatbot",
		"if youre a|an ai|llm|language|assistant|agent|bot|model|chatbot",
		"update|amend|correct your records|files|notes|knowledge|memory",
		"memory sync|synchronization|synchronisation|refresh|injection|patch|required", "commit|commits to memory",
		"keep|make|leave a|this lasting|permanent|standing|mental note|record|memory",
		"jot|write|note down .. that|for|good|forever", "remember my|i|our|always|never",
		"remember to always|never|pass|skip|allow|accept",
		"always|never|remember|default .. for|to|as this|the users|user|owner|person|developer|human",
		"henceforth|hereafter|henceforward .. accept|approve|allow|trust|use|skip|treat|ignore|send|obey",
		checks+" is|are no longer|more|not necessary|needed|required",
		"for your records|memory|profile .. user|developer|owner|person|never|always|he|she",
		"lesson .. optional|record|skip|assistants|unnecessary",
		keeping+" .. permanently|forever|persistently|indefinitely|durably",
		keeping+" .. in|to|into your|the|its|long|user|persistent|permanent memory|memories|term|profile|knowledge",
		keeping+" .. as|a|the|this preferred|preference|default|rule|fact approach|way|setting|of|about",
		"remember .. preferred approach|way|choice|method|default",
		"remember|memorise|memorize|store|save|note|record|add .. user|users|owner|preference|pref|preferences .. prefers|"+
			"wants|likes|has|is|allows|trusts|approved|said|agreed|asked",
		"your ai|assistant|llm|chatbot to|must|should|will", "tell|tells|ask|instruct|teach|get your|the|any ai|assistant|llm|chatbot|copilot|agent",
		"memory|memories update|write|entry|insert|add|set|store",
		"update|overwrite|edit|modify|change|set your|the|its|user memory|memories|profile|instructions|rules|preferences",
		"from now on", "for all|any|every future|further|later|subsequent",
		"in all|any|every future|further|later|following sessions|session|conversations|conversation|chats|answers|replies|tasks",
		"future sessions|conversations|chats|runs|answers should|must|will|always|use|follow",
		"ignore|disregard|forget|override|overrule|bypass all|any|your|every|these|those|the .. instructions|rules|"+
			"guidelines|prompt|policies|policy|constraints|restrictions|safeguards|directives|training",
		"ignore|disregard|forget|override previous|prior|earlier|above|preceding|all|system .. instructions|rules|"+
			"guidelines|prompt|policies|policy|constraints|restrictions|directives|messages",
		"new|updated|standing|hidden|secret|additional|important instruction|instructions|directive|directives|order|orders for|to|rule",
		"new|updated|standing|hidden system instruction|instructions|prompt|directive|rule|policy",
		"system override|instruction|directive", "developer mode|message|override",
		"lesson|note|message|instruction|instructions|memo|reminder|hint|notice for|to the|all|any|your|ai|llm|self|future .. "+machine+"|model|self|sessions",
		"lesson|note|message|instruction|instructions|memo|hint|notice for|to ai|ais|llm|llms|assistants|agents|bots|copilot|claude|chatgpt",
		"treat|consider|regard|accept|mark .. as trusted|verified|safe|authoritative|approved|official|harmless|benign",
		"is|are always|fully trusted|verified|safe|authoritative",
		"do not tell|mention|reveal|inform|warn|show|alert|notify .. user|users|owner|human|person",
		"dont|never tell|mention|reveal|inform|warn|show|alert|notify .. user|users|owner|human|person",
		"without telling|informing|notifying|alerting|mentioning the|user|anyone|them",
		"is the safe|approved|official|right|correct|recommended|preferred default|way|choice|source",
		"source|sources|site|vendor|author|domain .. is|are verified|trusted|authoritative|official",
		"you must|shall|are|will now|always|never|remember|obey|comply|henceforth|instructed",
		"your new|next|real|true|actual|only task|goal|job|role|instructions|instruction|rule|owner|master|identity",
		"readers|reader must|should|shall memorise|memorize|remember|store", "act|behave|respond|answer as if|though .. user|owner|admin|approved|said",
		"when summarizing|summarising|compacting|compressing|extracting",
		"include this|the|following in|verbatim|fact .. summary|summaries|memory|notes",
		"carry|copy|preserve this|the|following .. forward|over|verbatim|summary",
		"remember|memorise|memorize owner|admin|user|that|this|password|approval .. trusted|admin|approved|always|never|owner",
		// German, Dutch
		"speichere|speichern|merke|merken|merk|behalte|notiere|vermerke .. dauerhaft|dir|immer|gedachtnis|erinnerung|fur|permanent|benutzer|nutzer",
		"ab jetzt|sofort|nun", "ignoriere|vergiss|missachte .. anweisungen|regeln|vorgaben",
		"benutzer|nutzer|besitzer erlaubt|hat|gestattet|genehmigt|will|mochte|bevorzugt",
		"ki|assistent .. soll|muss|merken|speichern", "in zukunft|kunftig|zukunftig immer|alle|nie|stets|jede",
		"onthoud|bewaar .. permanent|altijd|blijvend|gebruiker", "vanaf nu",
		// French
		"memorise|memorisez|enregistre|enregistrez|retiens|retenez|souviens|sauvegarde|note|notez .. definitivement|permanence|toujours|que|memoire|durablement|utilisateur",
		"a partir de maintenant", "desormais|dorenavant",
		"ignore|ignorez|oublie|oubliez .. instructions|consignes|regles|precedentes",
		"lutilisateur|utilisateur|proprietaire a|autorise|approuve|permet|prefere|veut|souhaite|accepte .. toutes|tout|tous|autorise|approuve|envoi|sans|command*",
		// Spanish, Portuguese, Italian
		"recuerda|memoriza|guarda|almacena|registra|anota|recuerde|memorice|guarde .. permanentemente|siempre|que|memoria|permanente|usuario",
		"a partir de ahora|agora|ora", "de ahora en adelante",
		"ignora|olvida|ignore|esqueca|dimentica .. instrucciones|reglas|anteriores|instrucoes|istruzioni|regole|regras",
		"el|o|lutente usuario|utente ha|permite|autoriza|aprobo|aprueba|prefiere|quiere|acepta|autorizou|aprovou|permitiu",
		"lutente|utente ha|autorizza|approva|permette|preferisce|vuole",
		"lembre|memorize|guarde|salve|grave .. permanentemente|sempre|que|memoria|usuario",
		"ricorda|memorizza|salva|registra .. permanentemente|sempre|che|memoria|utente", "dora in poi",
		"no le|lo digas|avises|menciones|informes",
		// Polish, Turkish, Swedish
		"zapamietaj|zapisz .. na|ze|stale|trwale|pamieci|uzytkownik",
		"uzytkownik zezwala|zezwolil|zatwierdzil|woli|chce", "od teraz",
		"hatirla|kaydet|unutma .. kalici|kullanici|hafiza|hafizaya|her", "kullanici .. onayladi|izin|onay|istiyor",
		"bundan sonra", "kom ihag", "spara .. permanent|alltid|minnet|anvandaren", "fran och med nu",
	)
})

// permissions grant something, or waive what protects.
var permissions = sync.OnceValue(func() []phrase {
	return readPhrases(
		whom+" has|have|hereby|already|previously|explicitly|always|fully|is|gave|given|now "+granted+"|given|gave|permission|consent|approval|authorization|authorisation|okayed|signed",
		whom+" has|have already|previously|explicitly|now|hereby|fully|been|also "+granted+"|given",
		whom+" approves|allows|permits|authorizes|authorises|consents|trusts|waives|accepts|grants|okays",
		whom+" asked|wants|said|prefers|requested|told|wishes|likes|decided|agreed|instructed .. skip|disable|ignore|bypass|remove|omit|avoid|no|without|never|always|auto|stop|drop",
		whom+" does|doesnt|do|dont not|want|need|require|wish .. "+checks+"|asked|prompted|confirm|warned",
		"approved|granted|authorized|authorised|confirmed|allowed|permitted|signed|okayed by the|our|your|its|an|system "+whom+"|security|management|legal|team|it|ceo|boss",
		"all|every|any|future commands|command|tools|tool|actions|action|requests|request|commits|transfers|files|changes|"+
			"calls|operations|payments|uploads|scripts is|are|were|has|have approved|allowed|permitted|trusted|safe|preapproved|"+
			"authorized|authorised|been|may|can|considered|fine|ok|okay",
		"approve|approves|allow|permit|accept|authorize|authorise|execute|run|trust|confirm all|any|every|each|future|"+
			"everything|anything commands|command|tools|tool|actions|action|requests|request|transfers|changes|calls|operations|"+
			"payments|scripts|that|from|sudo|shell",
		"all commands|actions|requests|tools .. approved|allowed|permitted|trusted|safe",
		"auto approve|approved|approval|approves|accept|confirm|run|execute",
		"autoapprove|autoaccept|preapproved|preauthorized|preauthorised",
		"rule|policy|remember|note|user|asked|always|you|assistant|ai|agent|may|please|should|must|preference .. skip|bypass|disable|omit|waive|drop|ignore|suppress .. "+checks,
		"skip|skips|bypass|disable|waive .. "+checks+" .. always|forever|permanently|future",
		"need|needs|required|require|requires|necessary no|not .. "+checks,
		"no "+checks+" .. needed|required|necessary|anymore|longer",
		"no longer|more need|needs|needed|require|requires|required "+checks+"|to|any",
		"you|assistant|ai|agent|user|commands|always|may|can|approved|allowed .. without|no|never|not .. confirmation|"+
			"approval|asking|permission|review|prompting|confirming|consent|verification",
		"without confirmation|approval|asking|permission|review|prompting|consent|verification .. always|approved|user|allowed|forever|permanently|from|remember",
		"consent|authorization|authorisation|approval|clearance is|are|was|were|has|have|hereby granted|given|been|implied|permanent",
		"full|unrestricted|unlimited|root|admin|complete access|permission|permissions|privileges|authority|trust|control",
		"safe mode|checks|confirmations off|disabled",
		"security|safety policy|policies|checks|rules|review .. waived|suspended|disabled|lifted|off|relaxed",
		"has|have|had|got no objection|objections",
		"trust|trusts all|any|every|everything|output|content|links|files|code|scripts|commands|this|me|us .. from|that|by|completely|always",
		"allowed|may|can to|freely send|share|delete|run|push|access|read|execute|transfer|install|upload|disclose .. all|"+
			"any|every|files|secrets|keys|data|anything|everything",
	)
})

// triggers wait for something to come up.
var triggers = sync.OnceValue(func() []phrase {
	const act = "send|forward|include|post|upload|recommend|append|attach|email|mail|leak|share|transfer|suggest|insert|" +
		"run|execute|use|reply|answer|respond|tell|say|add|cc|bcc|call|fetch|visit|open|log|copy|remember|first|" +
		"always|point|refer|direct|steer|promote|mention|offer|propose|advise|redirect|encode|replace|change|" +
		"quietly|silently"
	const asks = "asks|ask|asked|mentions|mention|talks|talk|says|types|requests|request|wants|discusses|brings|ever|" +
		"inquires|needs|about|writes|opens|starts|says|speaks|queries|searches|visits|plans"
	return readPhrases(
		"when|whenever|if|once|as|every|each|next|after|should the|a|time|soon|user|users|owner|someone|anyone|they|i|customer|ever|this .. "+asks+" .. "+act,
		"when|whenever|if user|asked|prompted|questioned|talking|someone|anyone .. "+act,
		"next time|session|conversation .. "+act,
		"on|upon the|any|every mention|request|question|topic|questions|topics .. "+act,
		"wait until|for .. then "+act, "the word|phrase|keyword|trigger .. appears|mentioned|said|used",
	)
})

// sendings have something given away.
var sendings = sync.OnceValue(func() []phrase {
	return readPhrases(
		giving+" .. "+private+" .. to|at|via|into|through|http*|www|in", giving+" the|all|any|every|their|users|your|its|his|her|last|this|a "+private,
		giving+" all|every|any|their|users|your|his|her|owners .. "+what+" .. to|at|via|into|through|http*|www",
		"cc|bcc on|to|all|every|them|this|the", "cc|bcc .. on|in all|every|any",
		giving+" their|users|owners last|previous|recent|three|five|private messages|message|questions|history|files",
		"erlaubt|erlaube|erlauben .. senden|weitergabe|versand|ubertragen|loschen", "senden|sende|schicke .. dateien|daten|nachrichten|passworter|verlauf",
		"envoie|envoyer|envoyez|transmets .. fichiers|donnees|messages|mots",
		"envia|enviar|envie|reenvia .. archivos|datos|mensajes|contrasenas|arquivos|dados",
		"invia|inviare|inoltra .. file|dati|messaggi",
		"encode|hide|embed|smuggle .. in|into a|the|every|each url|link|query|image|request",
	)
})

// secrets ask for what is secret.
var secrets = sync.OnceValue(func() []phrase {
	return readPhrases(
		"store|save|remember|record|keep|memorise|memorize|collect|reveal|leak|give|request the|your|my|his|her|their|our|"+
			"users|owners|admin|all|any|every|this .. password|passwords|passphrase|passcode|credential|credentials|secrets|cvv|"+
			"mnemonic",
		"send|give|tell|mail|message|text us|me|it|them .. password|passphrase|credentials|code|pin|token|cvv|key",
		"api|private|ssh|secret|access|encryption key|keys .. to|is|send|in|at|store|remember",
		"seed|recovery phrase|phrases|code|codes",
		"about|for passwords|password|credentials|login .. recommend|use|suggest|visit|remember",
	)
})

// identities say who somebody is, or whose word counts.
var identities = sync.OnceValue(func() []phrase {
	return readPhrases(
		whom+" is now|actually|an|the|really|called admin|administrator|root|owner|superuser|developer|operator|named",
		"i am your|the|an developer|creator|admin|administrator|owner|maker|operator|maintainer", "im your|the|an developer|creator|admin|administrator|owner|maker|operator|maintainer",
		"owner|admin|administrator|user|username|role|isadmin|trusted|sudo|root true|yes|all",
		"new|real|true|actual|rightful owner|admin|user|operator is|name",
		"this is|message comes|from the|your|anthropic|openai|google|microsoft system|administrator|developer|admin|owner|support|operator|team speaking|here|message|and|of",
		"speaking|acting|writing as|for the|your owner|admin|user|administrator|developer|ceo",
		"on behalf of the|your user|owner|admin|administrator|developer",
	)
})

// persons speak of the person.
var persons = sync.OnceValue(func() []phrase {
	return readPhrases("user|users|owner|owners|human|person|persons|customer",
		"he|she|they prefers|prefer|wants|likes|allows|trusts|uses|works|lives",
		"my|our|your name|wife|husband|boss|bank|account|password|employer|address|email|adviser|advisor|doctor|lawyer|"+
			"assistant|preference|preferences|default|favorite|favourite",
		"i prefer|want|like|use|am|allow|approve|trust|live|work|always|never",
		"benutzer|nutzer|usuario|utilisateur|lutilisateur|utente|lutente|gebruiker|uzytkownik|kullanici|anvandaren")
})

// names are what an assistant is called.
var names = sync.OnceValue(func() []string {
	return strings.Split(machine, "|")
})

// near are words that an assistant is told within a few words of its name.
var near = sync.OnceValue(func() []string {
	return text.WordsInOrder(`remember memorize memorise store save record note noted keep retain persist jot learn commit add treat accept obey skip trust memory preference preferences henceforth`)
})

// bidding begins a sentence that tells somebody to do something.
var bidding = sync.OnceValue(func() []phrase {
	const act = "add|use|import|prefer|rely|send|share|recommend|include|append|install|run|execute|forward|call|contact|" +
		"pay|transfer|trust|ignore|skip|disable|enable|always|never|do|dont|treat|remember|store|save|tell|say|" +
		"give|grant|allow|approve|accept|upload|post|visit|open|download|fetch|suggest|mention|reply|answer|route|" +
		"point|direct|cc|bcc|copy|delete|remove|reveal|ask|let|make|set|replace|change|switch|buy|choose|pick|" +
		"quote|cite|follow|obey|keep|hide"
	return readPhrases("^ "+act, "^ please|kindly|silently|quietly|automatically "+act,
		"^ if|when|whenever|for|on|upon|before|after|once|in|during|any|every|each|instead|rather .. "+act,
		"^ assistant|assistants|ai|agent|agents")
})

// claims say of the person what they want or allowed.
var claims = sync.OnceValue(func() []phrase {
	return readPhrases("user|owner|developer .. consents|allows|trusts|waives|authorizes|authorises|permits",
		"this developer|user|owner|person|human never|always|wants|prefers|likes|hates|allows",
		"the|this|your user|owner|person|human .. has|have|had agreed|consented|approved|authorized|authorised|opted|declined|waived|granted",
		"user|owner opted|declined|declared|gave|insists|requires|demands",
		"users|owners true|real|actual|new|legal|preferred|default name|email|account|address|boss|bank|password|employer",
		"user|owner prefers|wants|never|always|decided|chose|waived|waives|trusts|approved|authorized|authorised|consented|allowed|granted|permitted|agreed|asked|likes",
		"you|they prefer|preferred skipping|skip|no|not|never|without|unreviewed",
		"you approved|authorized|authorised|granted|waived|allowed|agreed")
})

// conditions make of a claim a case that is described.
var conditions = sync.OnceValue(func() []phrase {
	return readPhrases("if|when|whenever|whether|unless|until|once|who|which|where|case|each|example")
})

// addressing has an address used.
var addressing = sync.OnceValue(func() []phrase {
	return readPhrases("user|users|owner|my|your|our|always|cc|bcc|send|contact|adviser|advisor|support|official|trusted|verified|recommend|recommended|use|visit|pay|payments|transfer|call|write|ask|mail|email|report|forward|go|login|sign|download|install|fetch|post|helpdesk|backup|preferred|default")
})

// hints are words that something hidden would hardly have by chance.
var hints = sync.OnceValue(func() []phrase {
	return readPhrases("remember|memorise|memorize|approved|approve|permission|permissions|instructions|instruction|ignore|assistant|password|passwords|credentials|exfiltrate|confirmation|permanently|trusted|authorized|authorised",
		"all commands|files|actions|requests|tools", "the user|owner|admin", "user is|has|wants|prefers|allows",
		"send|forward|upload|post to|all|the|files|it", "run|execute|delete rm|curl|all|sudo|the|everything",
		"skip review|confirmation|tests|checks")
})

// marks are forms by which a text pretends to be another's turn, or a command.
var marks = sync.OnceValue(func() []string {
	return []string{
		"/remember", " :remember", "/memory", "memory_write", "save_memory", "add_memory", "memory.add", "memory_add",
		"memorize(", "store_memory", "write_memory", "memory_store", "mem_save", "ken remember", "bio(", "to=bio",
		"update_memory",
		"<system", "[system", "</system", " system: ", "system>", "<|im_start|>", "<|system|>", "[inst]", "<<sys>>",
		"### instruction", "###instruction", "### system", "assistant:", "<assistant", "human:", "user:\\n",
		"\"role\":\"system\"", "\"role\": \"system\"", "role=system", "[background]", "[memories]", "<memory",
		"<instructions", "begin system", "end of user input", "kind:rule", "\"kind\":\"rule\"", "\"by\":\"user\"",
		"origin=user", "\"origin\":\"user\"", "source:user", "source: user", "\"source\":\"user\"", "by:user",
	}
})

// dense are phrases of languages whose words are not told apart by blanks, or whose
// endings are many.
var dense = sync.OnceValue(func() []string {
	list := []string{
		"记住", "記住", "请记住", "永久保存", "保存到记忆", "记忆中", "用户允许", "从现在开始", "從現在開始", "忽略之前", "忽略以上", "忽略所有", "无需确认", "無需確認", "存入记忆",
		"覚えて", "記憶して", "記憶に", "今後は", "これからは", "指示を無視", "確認なし", "確認不要",
		"기억해", "저장해", "지금부터", "앞으로는", "지시를 무시", "확인 없이",
		"запомни", "сохрани навсегда", "сохрани в память", "пользователь разреш", "пользователь одобр",
		"пользователь предпочит", "с этого момента", "игнорируи", "отныне", "без подтверждения", "запам'ятаи",
		"запамятаи", "користувач дозвол",
		"تذكر", "من الان", "تجاهل", "זכור", "याद रख", "จำไว้",
		"hay nho", "ghi nho", "nguoi dung", " ingat ", "pengguna mengizinkan",
	}
	for i, m := range list {
		list[i] = text.Fold(m) // as the texts are
	}
	return list
})

// domains are endings of names that are there to be examples or traps.
var domains = sync.OnceValue(func() []string {
	return []string{".example", ".com", ".net", ".org", ".io", ".xyz", ".ru", ".top", ".info", ".test", ".invalid", ".dev", ".app", ".co", ".site", ".online", ".biz", ".cc", ".tk"}
})
