import { readFileSync, writeFileSync } from 'node:fs';

/** As esbuild prints them: `import{a as b}from"x";`, `import*as a from"x";`, `import a,{b}from"x";`, `import"x";`. */
const IMPORT =
  /(?<=[;}\n*/]|^)import(?:\*as (?<all>[\w$]+) from|(?: (?<whole>[\w$]+))?,?(?:\{(?<names>[^}]*)\})?\s?from|)"(?<from>[^"]+)";/gm;
const DYNAMIC = /\bimport\("([^"]+)"\)/g;
/** Of a name that is known only then. What the command loads has no `import` of its own. */
const UNKNOWN = /(?<=\bawait )import(?=\([\w$]+\))/g;
/** The beginning of a module that esbuild runs on first use, as it does if the module is both imported and required. */
const LATE = /\binit_\w+/;
const EXPORT = /\bexport\{([^}]*)\};/g;
const DEFAULT = /\bexport default ([\w$]+\(\));/g;

/**
 * Makes a file of the build CommonJS: esbuild splits ES modules only, which Node starts later, and whose compiled code it cannot keep
 * between starts (src/program/compiled_code.ts). Its source map follows.
 *
 * What a chunk exports is copied once it is complete, so chunks must not import each other in a circle, nor change an exported variable
 * later; modules of this project do neither.
 */
export function toCommonJs(file) {
  const text = readFileSync(file, 'utf8');
  // Many modules of a chunk import the same ones of Node, which are required once.
  const imported = [...text.matchAll(IMPORT)].map(({ groups: { from } }) => from);
  const shared = new Set(imported.filter((from, at) => from.startsWith('node:') && imported.indexOf(from) !== at));
  const changes = [
    ...found(text, IMPORT, ({ groups: { all, whole, names, from } }) => {
      const required = shared.has(from) ? variable(from) : `require(${JSON.stringify(from)})`;
      const parts = names === undefined ? '' : `{${names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$1:$2')}}`;
      if (all !== undefined || whole !== undefined)
        return `var ${all ?? whole}=${required}${parts && `,${parts}=${whole}`};`;
      return parts === '' ? `${required};` : `var${parts}=${required};`;
    }),
    ...found(text, DYNAMIC, ([, from]) => `Promise.resolve().then(()=>require(${JSON.stringify(from)}))`),
    ...found(text, UNKNOWN, () => '(typeof __import=="function"?__import:(url)=>import(url))'),
    ...found(text, EXPORT, ([, names]) => {
      const [late] = LATE.exec(names) ?? [];
      if (late !== undefined)
        throw new Error(`${file} exports ${late}: others would copy what it exports before that was called`);
      return `module.exports={${names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`;
    }),
    ...found(text, DEFAULT, ([, value]) => `module.exports={default:${value}};`),
    ...found(text, /\bimport\.meta\.url\b/g, () => 'require("node:url").pathToFileURL(__filename).href'),
    ...found(text, /\bimport\.meta\.dirname\b/g, () => '__dirname'),
    ...found(text, /\bimport\.meta\.filename\b/g, () => '__filename'),
    ...found(text, /\bimport\.meta\.resolve\b/g, () => 'require.resolve'),
  ].sort((a, b) => a.from - b.from);
  let written = '';
  let end = 0;
  for (const { from, to, instead } of changes) {
    written += text.slice(end, from) + instead;
    end = to;
  }
  written += text.slice(end);
  // The first line is empty, or becomes one more; `#!` stays above it.
  const [shebang = ''] = /^#!.*\n/.exec(text) ?? [];
  const [before, above] = text.startsWith('\n', shebang.length) ? ['', ''] : ['\n', ';'];
  const required = [...shared].map((from) => `var ${variable(from)}=require("${from}");`);
  writeFileSync(file, [shebang, '"use strict";', ...required, before, written.slice(shebang.length)].join(''));
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
  writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: above + moved(map.mappings, text, changes) }));
}

function variable(from) {
  return from.replaceAll(/\W/g, '_');
}

function found(text, pattern, replacement) {
  return [...text.matchAll(pattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    instead: replacement(match),
  }));
}

/** The mappings with the columns that follow from the changes, none of which changes the number of lines. */
function moved(mappings, text, changes) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return mappings
    .split(';')
    .map((line, at) => {
      const start = starts[at] ?? text.length;
      const own = changes.filter(({ from }) => from >= start && from < (starts[at + 1] ?? Infinity));
      return own.length === 0 || line === '' ? line : movedLine(line, start, own);
    })
    .join(';');
}

function movedLine(line, start, changes) {
  let [column, last, shift] = [0, 0, 0];
  const waiting = [...changes];
  const segments = line.split(',').map((segment) => {
    const [, digits] = /^([g-z0-9+/]*[A-Za-f])/.exec(segment);
    column += fromBase64(digits);
    while (waiting.length > 0 && waiting[0].to - start <= column) {
      const { from, to, instead } = waiting.shift();
      shift += instead.length - (to - from);
    }
    // Within a change, all is at its beginning.
    const place = Math.min(column, (waiting[0]?.from ?? Infinity) - start) + shift;
    const delta = toBase64(place - last);
    last = place;
    return delta + segment.slice(digits.length);
  });
  return segments.join(',');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Of a source map: the lowest five bits first, each with a bit that says whether more follow; the lowest of all is the sign. */
function fromBase64(digits) {
  const value = [...digits].reduceRight((sum, digit) => sum * 32 + (DIGITS.indexOf(digit) & 31), 0);
  return value & 1 ? -(value >> 1) : value >> 1;
}

function toBase64(number) {
  let value = number < 0 ? (-number << 1) | 1 : number << 1;
  let digits = '';
  do {
    digits += DIGITS[(value & 31) | (value > 31 ? 32 : 0)];
    value >>= 5;
  } while (value > 0);
  return digits;
}
