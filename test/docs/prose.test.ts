import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMarkdownFiles, findSourceFiles, root } from '../../tools/prose/find-markdown-files.ts';
import {
  findBreakingInstalls,
  findDeadPaths,
  findHardReading,
  findLongReadme,
  findProseProblems,
  findRepeatedTerms,
  findReplacedWords,
  findReplacedWordsInSource,
  findUncountedNouns,
  findUnownedNames,
} from '../../tools/prose/find-prose-problems.ts';

test('the pages of this repository have no replaced words, no dead paths and one meaning per term', () => {
  expect(findProseProblems(root, findMarkdownFiles())).toEqual([]);
});

test('finds a replaced word with its line and what to write instead', () => {
  const text = 'One line.\n\nSomebody will MEND it.';
  expect(findReplacedWords('a.md', text)).toEqual([
    'a.md:3: "MEND": write fix, remediation',
    'a.md:3: "Somebody": write a caller, the sender, the operator: name the party',
  ]);
});

test('finds words that praise in pages and in texts of sources, and leaves what just happened alone', () => {
  const text = 'Just add it: an easy,\nrobust and battle-tested service. The limit was just set.';
  const found = [
    'a:1: "easy": write nothing: leave it out',
    'a:1: "Just": write only, exactly, or nothing',
    'a:2: "battle-tested": write what it does, with a number',
    'a:2: "robust": write what it does, with a number',
  ];
  expect(findReplacedWords('a', text).toSorted()).toEqual(found.toSorted());
  expect(findReplacedWordsInSource('a', text).toSorted()).toEqual(found.toSorted());
});

test('finds a replaced word in a text or a comment of a source, over the end of a line too', () => {
  const text = "const a = 'Nobody may';\n/**\n * One in the\n * place of another.\n */";
  expect(findReplacedWordsInSource('a.ts', text)).toEqual([
    'a.ts:1: "Nobody": write no one, or name the party',
    'a.ts:3: "in the place of": write instead of',
  ]);
});

test('the sources of the product have no words that they no longer use', () => {
  const problems = findSourceFiles().flatMap((file) =>
    findReplacedWordsInSource(file, readFileSync(join(root, file), 'utf8')),
  );
  expect(problems).toEqual([]);
});

test('finds a plural after a count that may be one, and leaves limits alone', () => {
  const text = [
    '`Try again in $' + '{left} seconds.`',
    '`at most $' + '{maxUrlLength} characters`',
    '`$' + "{counted(left, 'second')}`",
  ].join('\n');
  expect(findUncountedNouns('a.ts', text)).toEqual([
    'a.ts:1: "$' + '{left} seconds": write `counted` of contract/counted.ts, since the count may be one',
  ]);
});

test('the sources of the product count with nouns that fit', () => {
  const problems = findSourceFiles().flatMap((file) =>
    findUncountedNouns(file, readFileSync(join(root, file), 'utf8')),
  );
  expect(problems).toEqual([]);
});

test('leaves code, addresses of links, parts of words and generated tables alone', () => {
  const text = [
    'Read `mend` in the answer, [besides](mend.md), recommend and amend.',
    '```json\n{ "mend": "anew" }\n```',
    '<!-- metrics: written by a program -->\n| anew |\n<!-- end of metrics -->',
    'The log says: no block in the books is on the chain.',
  ];
  expect(findReplacedWords('a.md', text.join('\n\n'))).toEqual([]);
  expect(findReplacedWords('a.md', '<!-- written by a program -->\n\nanew')).toEqual([]);
});

test('finds commands that fetch from npm what is not ours there', () => {
  const text =
    'Run `npx tollfree status`.\n\nnpm install --save @tollfree/sdk viem\nnpm install ./tollfree-sdk-1.tgz\nnpx -y tollfree';
  expect(findUnownedNames('a.md', text)).toEqual([
    expect.stringContaining('a.md:1: "npx tollfree"'),
    expect.stringContaining('a.md:3: "npm install --save @tollfree/sdk"'),
    expect.stringContaining('a.md:5: "npx -y tollfree"'),
  ]);
});

test('finds links and paths between backticks that lead nowhere', () => {
  const text = 'See [one](no-such-page.md#part), [two](docs/README.md), `core/no-such-file.ts` and `core/local.ts`.';
  expect(findDeadPaths(root, 'a.md', text)).toEqual([
    'a.md: no-such-page.md is not there',
    'a.md: core/no-such-file.ts is not there',
  ]);
});

test('finds a term that the glossary has twice, and a glossary that has gone', () => {
  const table = '## Glossary\n\n| term | meaning |\n| --- | --- |\n| hold | a |\n| Hold | b |\n| ticket | c |\n';
  expect(findRepeatedTerms('a.md', table)).toEqual(['a.md: the glossary has "hold" twice']);
  expect(findRepeatedTerms('a.md', '# Concepts\n')).toEqual(['a.md: there is no glossary']);
});

test('finds a README of more than 800 words, without counting the lines of tables', () => {
  expect(findLongReadme('README.md', `${'word '.repeat(800)}| --- | --- |`)).toEqual([]);
  expect(findLongReadme('README.md', 'word '.repeat(801))).toEqual(['README.md: 801 words, at most 800']);
});

test('finds a sentence that is too long, and a page that is too hard to read', () => {
  const plain = 'The service signs it. You pay. '.repeat(6);
  expect(findHardReading('docs/a.md', plain)).toEqual([]);
  const long = `${'word '.repeat(26).trim()}.`;
  expect(findHardReading('docs/a.md', `${plain}\n\n${long}`)).toEqual([
    expect.stringMatching(/^docs\/a\.md: 26 words, at most 25: "word word/),
  ]);
  const hard = 'Institutional considerations necessitate organizational accountability. '.repeat(10);
  expect(findHardReading('docs/a.md', hard)).toEqual([expect.stringMatching(/^docs\/a\.md: reading grade \d+/)]);
  // Neither code nor a table is a sentence.
  expect(findHardReading('docs/a.md', `${plain}\n\n\`\`\`sh\n${long}\n\`\`\`\n\n| ${long} |`)).toEqual([]);
});

test('finds an install line that breaks the next one', () => {
  expect(findBreakingInstalls('a.md', '`npm install permissionless viem ox@0.11`')).toEqual([]);
  expect(findBreakingInstalls('a.md', 'npm install viem permissionless\n')).toHaveLength(1);
});
