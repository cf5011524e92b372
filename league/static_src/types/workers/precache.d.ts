/** What the server writes before score-sw.js: the version of the files, and their addresses. */
declare const PRECACHE: { version: string; files: string[] };
