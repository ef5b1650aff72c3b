import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { encodedPart } from '../../core/model/values/uri.js';

/** The script and the styles of a page, as the build made them. */
export interface Assets {
  readonly script: string;
  readonly styles: string;
}

/** Reads the files beside the bundle. When run from the sources, reads those of the last build. */
export function readAssets(): Assets {
  const folder = import.meta.filename.endsWith('.ts') ? '../../../dist/chunks/' : './';
  const read = (name: string): string => readFileSync(new URL(folder + name, import.meta.url), 'utf8');
  return { script: read('page.js'), styles: read('page-styles.css') };
}

export interface PageText {
  readonly title: string;
  /** For browsers without scripts. */
  readonly summary: string;
}

/**
 * A page as one file: it needs no other file, and its policy allows it to load none.
 *
 * @param data a packed page, in which secrets are masked
 */
export function pageHtml(data: Uint8Array, { title, summary }: PageText, assets: Assets): string {
  const compressed = gzipSync(data, { level: 9 });
  const policy = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(assets)}">\n`;
  const head = pageHead(title, assets, policy);
  return `${head}<body>
<div id="page"></div>
<noscript><p>${escaped(summary)}</p><p>This report needs JavaScript to show more.</p></noscript>
<script type="text/plain" id="data">${compressed.toString('base64')}</script>
<script type="module">${assets.script}</script>
</body>
</html>
`;
}

/** A page without data, which its script asks the server for. */
export function shellHtml(assets: Assets): string {
  return `${pageHead('evenkeel', assets)}<body>
<div id="page"></div>
<noscript><p>This page needs JavaScript. "evenkeel runs" lists the runs, too.</p></noscript>
<script type="module">${assets.script}</script>
</body>
</html>
`;
}

/** The first bytes of every page. */
export const BEGINNING =
  '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="evenkeel">';

/** The beginning of a page, up to its body. */
function pageHead(title: string, { styles }: Assets, meta = ''): string {
  return `${BEGINNING}
${meta}<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
`;
}

/** Allows only the script and styles of this page. Any use of a text as HTML is an error (Trusted Types). */
export function contentPolicy({ script, styles }: Assets, ...more: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src '${scriptHash(script)}'`,
    `style-src '${scriptHash(styles)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...more,
  ].join('; ');
}

function scriptHash(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

const ICON =
  'data:image/svg+xml,' +
  encodedPart(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0f766e"/><path d="M3 9.5h10l-2 3.5H5z" fill="#fff"/><path d="M7.5 3v5.5H4z" fill="#fff"/><path d="M8.5 4.5v4h3.5z" fill="#99f6e4"/></svg>',
  );

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
}
