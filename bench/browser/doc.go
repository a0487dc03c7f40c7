// Package browser looks at the page in a real browser: chromium, led by chromedp, comes in by the link that ken serve page
// prints, clicks and types as a person does, and looks for what a person would trip over. It is a module of its own, so that
// neither ken nor what measures it requires a library for browsers.
//
// Without chromium its tests are skipped, unless KEN_BROWSER=must is set, as continuous integration does: there they fail.
// KEN_BROWSER names another browser by its path. KEN_AXE is the file axe.min.js of axe-core 4, without which TestPage/axe is
// skipped; KEN_PICTURES a directory for TestPictures, KEN_FIGURES=1 has TestFigures measure.
//
// # Reasons
//
// A browser is led instead of reading HTML, because the faults of the page were none of its HTML: broken words,
// covered fields, a focus that nobody saw. Rules are tested instead of pictures, which differ from one chromium to
// the next. chromedp needs neither node nor a driver. axe-core comes from npm by version and sum. The browser is
// told that there is no host but 127.0.0.1. Firefox and Safari are not tried.
package browser
