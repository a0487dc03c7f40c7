package programs

// A speech is what is known of a language: its words, and what only reckons or prints.
type speech struct {
	words   string // of the language, and functions
	methods string // of values and of modules: what may stand behind a dot
	modules string // that may be imported
	sigils  string // signs that stand before the name of a variable
	quotes  string // that hold text
	put     string // what puts a value into a text in double quotes, by its first sign
	terms   string // words behind which a slash begins an expression; "-": slashes divide only
}

// speechOf is what is known of a language of that name, nil if nothing is.
func speechOf(name string) *speech {
	const methods = " length size first last min max sum sort sorted reverse reversed join split strip trim upper lower " +
		"count index find "
	switch name {
	case "python", "pypy":
		return &speech{
			quotes: `'"`,
			words: " print len int float str bool abs min max sum round pow divmod range sorted reversed list tuple set dict frozenset hex " +
				"bin oct ord chr repr bytes complex enumerate zip map filter any all isinstance format next iter slice type " +
				"True False None and or not in is if else elif for while break continue pass lambda return def import end sep file key " +
				"start reverse indent default ensure_ascii sort_keys ",
			methods: methods + "splitlines rstrip lstrip title capitalize swapcase casefold startswith endswith replace isdigit isalpha " +
				"isalnum isspace isupper islower zfill center ljust rjust rfind rindex partition rpartition items keys values get append extend " +
				"insert pop most_common elements year month day hour minute second isoformat strftime total_seconds weekday isoweekday " +
				"hexdigest digest bit_length real imag numerator denominator union intersection difference encode decode group groups days " +
				"read readline readlines format timestamp date time copy update add sqrt floor ceil factorial gcd lcm comb perm isqrt pi e tau inf " +
				"log log2 log10 exp sin cos tan atan2 hypot degrees radians loads load dumps now today utcnow randint random choice sample shuffle " +
				"uniform mean median stdev mode variance Counter defaultdict deque datetime timedelta combinations permutations product " +
				"accumulate ascii_letters ascii_lowercase digits punctuation Decimal Fraction dedent wrap isleap monthrange findall " +
				"search match fullmatch " +
				"escape unescape sha256 md5 sha1 sha512 version version_info platform executable path stdin argv maxsize byteorder perf_counter " +
				"fromtimestamp fromisoformat ctime ip_address ip_network num_addresses reader DictReader fieldnames " +
				"python_version machine system node " +
				"release b64encode b64decode uuid4 hex get_paths get_path get_config_var get_platform token_hex token_urlsafe bytes ",
			modules: " math json datetime random statistics itertools collections string decimal fractions textwrap calendar re cmath " +
				"unicodedata ipaddress hashlib bisect heapq html sys time csv platform sysconfig base64 uuid secrets ",
		}
	case "node", "nodejs":
		return &speech{
			quotes: "'\"`", put: "${", terms: " return typeof in of else ",
			words: " console Math JSON Object Array Number String Boolean BigInt Intl parseInt parseFloat isNaN isFinite Date Set Map new typeof " +
				"undefined null true false NaN Infinity var let const if else for of in while return process " +
				"encodeURIComponent decodeURIComponent encodeURI decodeURI ",
			methods: methods + "error map filter reduce reduceRight forEach some every includes indexOf lastIndexOf slice splice " +
				"concat flat flatMap fill push pop shift " +
				"unshift keys values entries has add get set toUpperCase toLowerCase padStart padEnd repeat replace replaceAll match matchAll test " +
				"startsWith endsWith charAt charCodeAt codePointAt at substring substr toFixed toPrecision toString toLocaleString " +
				"toISOString toLocaleDateString toLocaleTimeString getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds " +
				"getTimezoneOffset toUTCString toDateString toSorted toReversed trimStart trimEnd normalize localeCompare format findIndex findLast " +
				"stringify parse from isArray fromEntries now UTC NumberFormat DateTimeFormat table " +
				"version versions platform arch uptime memoryUsage cwd pid release hrtime node v8 heapUsed rss lts name PI E LN2 LN10 " +
				"SQRT2 floor ceil round abs sqrt cbrt pow log log2 log10 exp sin cos tan atan atan2 random trunc sign hypot ",
		}
	case "perl":
		return &speech{
			quotes: `'"`, sigils: "$@%", put: "$@", terms: " print if unless and or not return split grep while until say ",
			words: " print printf say sprintf length uc lc ucfirst lcfirst substr index rindex join split reverse sort map grep " +
				"keys values each exists " +
				"defined delete push pop shift unshift splice wantarray scalar abs int sqrt sin cos atan2 exp log hex oct ord chr rand srand time " +
				"localtime gmtime chomp chop tr my our local if elsif else unless while until for foreach next last and or not xor eq ne lt gt " +
				"le ge cmp x BEGIN END STDIN STDERR STDOUT eof return quotemeta pos undef ",
		}
	case "ruby", "jruby":
		return &speech{
			quotes: `'"`, sigils: "@$", put: "#{", terms: " if unless and or not when return while until ",
			words: " puts print p pp printf format sprintf rand srand Integer Float String Array Rational Complex Time Math " +
				"RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL nil true false if else elsif unless while until for in do end " +
				"then and or not " +
				"return STDIN next break case when ",
			methods: methods + "map select reject each each_with_index each_slice each_cons each_char each_line reduce inject " +
				"upcase downcase capitalize swapcase chars " +
				"lines bytes to_s to_i to_f to_a to_h to_sym tally group_by sort_by max_by min_by uniq compact flatten zip take drop push pop shift " +
				"include round floor ceil abs even odd zero upto downto times step gsub sub tr squeeze chomp chop lstrip rstrip center ljust rjust " +
				"match scan start_with end_with keys values fetch key any all none digits gcd lcm pow divmod succ pred ord chr hex " +
				"oct year month day hour strftime iso8601 product combination permutation each_with_object partition flat_map filter sum read " +
				"now find_index with_index transpose rotate sample shuffle cycle lazy force hash_of inspect PI E sqrt cbrt log log2 " +
				"log10 sin cos tan hypot exp ",
		}
	case "julia":
		return &speech{
			quotes: `"'`, put: "$",
			words: " println print show display sum prod maximum minimum extrema length size collect range sqrt cbrt exp log log2 " +
				"log10 sin cos tan abs " +
				"round floor ceil mod rem div gcd lcm factorial binomial isprime rand randn zeros ones fill map filter reduce foldl " +
				"sort reverse unique count any " +
				"all string parse Int Int64 Float64 String Bool BigInt BigFloat big Rational Complex VERSION pi im true false nothing " +
				"missing if else elseif end " +
				"for while in let const function return join split uppercase lowercase strip replace occursin startswith endswith " +
				"typeof eltype bitstring " +
				"time digits cumsum diff transpose det typemax typemin isempty first last push pop keys values Dict Set Tuple Vector Matrix ",
		}
	case "Rscript", "R":
		return &speech{
			quotes: `"'`,
			words: " cat print paste paste0 sum mean median sd var min max range length seq seq_len seq_along rep rev sort order c " +
				"vector list matrix nrow ncol dim " +
				"sqrt exp log log2 log10 sin cos tan abs round floor ceiling trunc prod cumsum diff quantile summary table unique which " +
				"which.max which.min any all " +
				"nchar toupper tolower substr strsplit sprintf format as.numeric as.integer as.character as.Date Sys.time Sys.Date " +
				"is.na TRUE FALSE NULL NA Inf NaN pi " +
				"if else for in while return rnorm runif set.seed sample head tail numeric character logical factorial choose crossprod solve det " +
				"data.frame names colnames rownames identity unlist T F sep collapse na.rm by from to " +
				"length.out digits R.version.string R.version LETTERS letters month.name invisible message cor scale rowSums colSums " +
				"colMeans rowMeans tabulate ",
		}
	case "php":
		return &speech{
			quotes: `'"`, sigils: "$", put: "$",
			words: " echo print printf sprintf number_format strlen strtoupper strtolower ucfirst ucwords trim ltrim rtrim explode " +
				"implode str_repeat str_pad substr strpos " +
				"str_replace strrev count array array_sum array_product array_keys array_values array_merge array_unique array_reverse " +
				"array_slice range sort rsort " +
				"in_array max min abs round floor ceil sqrt pow intdiv fmod rand mt_rand random_int pi date time mktime microtime " +
				"strtotime json_encode json_decode " +
				"print_r var_dump PHP_VERSION PHP_OS PHP_OS_FAMILY PHP_EOL PHP_INT_MAX PHP_INT_SIZE PHP_MAJOR_VERSION PHP_MINOR_VERSION " +
				"phpversion php_sapi_name php_uname " +
				"memory_get_usage sys_get_temp_dir md5 sha1 crc32 strcmp ucfirst lcfirst nl2br htmlspecialchars true false null if else " +
				"elseif for foreach as while " +
				"return is_null is_int is_string is_array isset empty intval floatval strval bin2hex dechex hexdec bindec decbin wordwrap ",
		}
	}
	return nil
}
