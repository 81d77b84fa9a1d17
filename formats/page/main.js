/* Begins: unpacks the columns, and shows the page; what is damaged is said. */
(async () => {
	const text = (id) => document.getElementById(id).textContent;
	try {
		window.pdtoolPage = pageApp(await pageData(JSON.parse(text("about")), (name) => text("column-" + name)));
	} catch (e) {
		const problem = document.getElementById("problem");
		problem.hidden = false;
		problem.textContent = "This page cannot be shown: it is damaged, or the browser is too old (" + e.message + ").";
		throw e;
	}
})();
