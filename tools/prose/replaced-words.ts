/** Words that documentation no longer uses, with replacements. Each is matched as a whole word, in any case. */
export const replacedWords: readonly (readonly [pattern: string, instead: string])[] = [
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

/** Words that sources no longer use either: in texts, in comments and as names. */
export const replacedInSources: ReadonlySet<string> = new Set([
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
export const quoted: readonly string[] = ['in the books is on the chain'];
