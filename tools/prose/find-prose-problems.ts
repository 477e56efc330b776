import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { countWords } from './count-words.ts';
import { maxGrade, maxSentenceWords, readabilityOf } from './reading-grade.ts';

/** Words that documentation no longer uses, with replacements. Each is matched as a whole word, in any case. */
const replacedWords: readonly (readonly [pattern: string, instead: string])[] = [
  ['mend(s|ed|ing)?', 'fix, remediation'],
  ['anew', 'again'],
  ['beside', 'next to, in addition to, compared with'],
  ['nobody', 'no one, or name the party'],
  ['somebody', 'a caller, the sender, the operator: name the party'],
  ['whoever', 'name the party'],
  ['whosoever', 'name the party'],
  ['(he|him|his|himself)', 'they, or name the party'],
  ['in the place of', 'instead of'],
  ['in place of', 'instead of'],
  ['but for', 'except'],
  ['but that', 'except that'],
  ['(of|to|for|by|with) whom', 'rewrite as two sentences'],
  ['what becomes of', 'rewrite as two sentences'],
  ['(is|are|was|were) looked at', 'checked, read'],
  ['(is|are|was|were|be|being) told', 'notified, reported'],
  ['books', 'ledger'],
  ['taking back', 'reorg, rollback'],
  ['dear(er|est)?', 'expensive'],
  ['lets? go on', 'resume'],
  ['stands? still', 'stop'],
  ['means? ill', 'attacks'],
  ['hitherto', 'until now'],
  ['thereof', 'of it'],
  ['therein', 'in it'],
];

/** Words that praise instead of saying what it does. Times stay: what "was just set" was set a moment ago. */
const marketingWords: readonly (readonly [pattern: string, instead: string])[] = [
  [
    '(seamless|effortless|blazing|painless|intuitive|elegant|delightful|beautiful|revolutionary|robust)(ly)?',
    'what it does, with a number',
  ],
  [
    '((enterprise|production|military)-grade|(world|best-in)-class|battle-tested|cutting-edge|state-of-the-art|next-generation|rock-solid|user-friendly|hassle-free|frictionless|lightning-fast|game-changing)',
    'what it does, with a number',
  ],
  ['(supercharge|unleash|empower)(s|es|d|ed|ing)?', 'what it does'],
  ['(powerful|simply|eas(y|ily|ier|iest)|obviously)', 'nothing: leave it out'],
  ['(?<!(was|were|has|have|had) )just(?! as )', 'only, exactly, or nothing'],
];

/** Words that sources no longer use either: in texts, in comments and as names. */
const replacedInSources: ReadonlySet<string> = new Set([
  'mend(s|ed|ing)?',
  'anew',
  'nobody',
  'somebody',
  'in the place of',
  'in place of',
]);

/**
 * Literal quotes in pages: log lines, API names, commands and files. Code spans and code blocks are already excluded before.
 */
const quoted: readonly string[] = ['in the books is on the chain'];

/** Most words of the README. */
export const maxReadmeWords = 800;

const matchers = [...replacedWords, ...marketingWords].map(matcherOf);

/** Finds the pattern as a whole word, in any case. */
function matcherOf([pattern, instead]: readonly [pattern: string, instead: string]) {
  return [new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'giu'), instead] as const;
}

/** Generated parts: their texts are changed in the program. */
const generated = /^<!-- written by/;

/** The text with code, generated parts, link targets and quotes blanked, keeping its lines. */
function proseOf(text: string): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  const patterns = [
    /^ *```[\s\S]*?^ *```/gm,
    /<!-- [\w ]+: written by [\s\S]*?<!-- end of [^>]*-->/g,
    /`[^`]+`/g,
    /\]\([^)]*\)/g,
  ];
  const withoutCode = patterns.reduce((left, pattern) => left.replace(pattern, blank), text);
  return quoted.reduce((left, quote) => left.replaceAll(quote, blank(quote)), withoutCode);
}

/** One line for each replaced word: file, line, word, what to write instead. */
export function findReplacedWords(file: string, text: string): readonly string[] {
  if (generated.test(text)) return [];
  const prose = proseOf(text);
  return matchers.flatMap(([matcher, instead]) =>
    [...prose.matchAll(matcher)].map(({ 0: word, index }) => {
      const line = prose.slice(0, index).split('\n').length;
      return `${file}:${line}: "${word.replace(/\s+/g, ' ')}": write ${instead}`;
    }),
  );
}

const sourceMatchers = [...replacedWords.filter(([pattern]) => replacedInSources.has(pattern)), ...marketingWords].map(
  matcherOf,
);

/** A line for each word that sources no longer use. A comment's lines are joined, so that a line break hides no phrase. */
export function findReplacedWordsInSource(file: string, text: string): readonly string[] {
  // `noBody` is a name of ts-rest, 'mend' a key in stored decisions.
  const joined = text
    .replaceAll('noBody', '      ')
    .replaceAll("'mend'", '      ')
    .replace(/\n\s*(\*|\/\/|#)(?= )/g, (lead) => `\n${' '.repeat(lead.length - 1)}`);
  return sourceMatchers.flatMap(([matcher, instead]) =>
    [...joined.matchAll(new RegExp(matcher.source.replaceAll(' ', '\\s+'), 'giu'))].map(({ 0: word, index }) => {
      const line = joined.slice(0, index).split('\n').length;
      return `${file}:${line}: "${word.replace(/\s+/g, ' ')}": write ${instead}`;
    }),
  );
}

const countedNouns =
  'accounts|addresses|blocks|budgets|bytes|calls|characters|contracts|days|decisions|entries|hours|keys|members|methods|' +
  'minutes|operations|paymasters|requests|rows|seconds|senders|tickets|tokens|users|webhooks';
const countBeforeNoun = new RegExp(`\\$\\{([^{}]*)\\} (?:more )?(?:${countedNouns})\\b`, 'g');

/** A line for each plural after a count that may be one. Limits and sizes are never one. */
export function findUncountedNouns(file: string, text: string): readonly string[] {
  return [...text.matchAll(countBeforeNoun)]
    .filter(([, count = '']) => !/^(?:max|min|most|default)|bytes|limit/i.test(count))
    .map(({ 0: words, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: "${words}": write \`counted\` of contract/counted.ts, since the count may be one`;
    });
}

/** A line for each dead relative link, and each dead path in backticks that begins with one of our folders. */
export function findDeadPaths(root: string, file: string, text: string): readonly string[] {
  const links = [...text.matchAll(/\]\((?<target>[^)\s]+)\)/g)].flatMap(({ groups }) => groups?.target ?? []);
  const relative = links
    .filter((target) => !/^([a-z]+:|#|\/)/.test(target))
    .map((target) => target.split('#')[0] ?? '');
  const named = [
    ...text.matchAll(/`(?<path>(?:contract|proto|core|gateway|clients|deploy|docs|examples|test)\/[\w./-]+)`/g),
  ];
  const missing = [
    ...relative.filter((target) => !existsSync(join(root, dirname(file), target))),
    ...named.flatMap(({ groups }) => groups?.path ?? []).filter((path) => !existsSync(join(root, path))),
  ];
  return [...new Set(missing)].map((path) => `${file}: ${path} is not there`);
}

/**
 * A line for each command that fetches one of our names from npm, where the packages are not published: another party's program
 * would run.
 */
export function findUnownedNames(file: string, text: string): readonly string[] {
  const commands = text.matchAll(/\bnpx (-\S+ )*tollfree\b|\bnpm (i|install|add) (-\S+ )*(@tollfree\/|tollfree\b)\S*/g);
  return [...commands].map(({ 0: command, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${file}:${line}: "${command}": the packages are not on npm. Name the installed program or a tarball`;
  });
}

/** One line for each term that a table of the glossary defines twice. */
export function findRepeatedTerms(file: string, text: string): readonly string[] {
  const glossary = text.split(/^## Glossary$/m)[1] ?? '';
  const terms = [...glossary.matchAll(/^\| (?<term>[^|]+?) \|/gm)].map(
    ({ groups }) => groups?.term?.toLowerCase() ?? '',
  );
  const repeated = terms.filter((term, index) => !/^-+$/.test(term) && terms.indexOf(term) !== index);
  if (terms.length === 0) return [`${file}: there is no glossary`];
  return repeated.map((term) => `${file}: the glossary has "${term}" twice`);
}

/** One line where the README has become too long. */
export function findLongReadme(file: string, text: string): readonly string[] {
  const words = countWords(text);
  return words > maxReadmeWords ? [`${file}: ${words} words, at most ${maxReadmeWords}`] : [];
}

/** The list of known contracts is names and addresses. Programs and vendors write the others. */
const notReadAsProse = /(^|\/)(known-accounts\.md|LICENSE|CHANGELOG\.md)$/;

/** A line for each sentence that is too long to read once, and one where a page as a whole is too hard. */
export function findHardReading(file: string, text: string): readonly string[] {
  const readability = notReadAsProse.test(file) ? undefined : readabilityOf(text);
  if (readability === undefined) return [];
  const { grade, long } = readability;
  const sentences = long.map(
    ({ words, text: sentence }) => `${file}: ${words} words, at most ${maxSentenceWords}: "${sentence.slice(0, 80)}…"`,
  );
  return grade > maxGrade
    ? [...sentences, `${file}: reading grade ${grade.toFixed(1)}, at most ${maxGrade}`]
    : sentences;
}

/** A line for each command that installs permissionless without the version of ox that it needs: the next install fails. */
export function findBreakingInstalls(file: string, text: string): readonly string[] {
  const commands = [...text.matchAll(/\bnpm (?:i|install|add) [^`\n]*\bpermissionless\b[^`\n]*/g)];
  return commands
    .filter(({ 0: command }) => !command.includes('ox@0.11'))
    .map(({ 0: command }) => `${file}: "${command}": name ox@0.11 too`);
}

/** All problems of the repository's Markdown files. Changesets and changelogs describe the past and are not checked. */
export function findProseProblems(root: string, files: readonly string[]): readonly string[] {
  const read = files
    .filter((file) => !/(^\.changeset\/|CHANGELOG\.md$)/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  return read.flatMap(({ file, text }) => [
    ...findReplacedWords(file, text),
    ...findDeadPaths(root, file, text),
    ...findUnownedNames(file, text),
    ...findBreakingInstalls(file, text),
    ...(/^(docs\/|README\.md$|SECURITY\.md$)/.test(file) ? findHardReading(file, text) : []),
    ...(file === 'docs/concepts.md' ? findRepeatedTerms(file, text) : []),
    ...(file === 'README.md' ? findLongReadme(file, text) : []),
  ]);
}
