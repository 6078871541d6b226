// There are no formulas on a card page. This stands in for MathJax, of which Voila would load 0.9 MB all the same.
window.MathJax = { Hub: { Config() {}, Configured() {}, Queue() {}, Register: { StartupHook() {} } } };
