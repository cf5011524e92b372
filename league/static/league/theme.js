// Runs before the first paint: marks that scripts work, and applies the reader's choice of light or
// dark.
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const isDark = () => {
    if (root.dataset.theme !== undefined) return root.dataset.theme === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const apply = (/** @type {string | null} */ theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  };

  apply(stored());
  addEventListener("storage", (event) => {
    if (event.key === "theme") apply(event.newValue);
  });
  addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-theme-toggle]")) return;
    const theme = isDark() ? "light" : "dark";
    apply(theme);
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // a private window forgets it
    }
  });
})();
