/** Pages whose commands a test runs, and that test. Each block of theirs without `norun` is run, in order. */
export const runPages: Readonly<Record<string, string>> = {
  'docs/start.md': 'test/dev/start-page.suite.ts',
  'docs/go-live.md': 'test/docs/go-live.test.ts',
  'docs/clients.md': 'test/docs/page-commands.test.ts',
  'docs/limits.md': 'test/docs/page-commands.test.ts',
  'docs/tickets.md': 'test/docs/page-commands.test.ts',
  'docs/webhooks.md': 'test/docs/page-commands.test.ts',
  'docs/operations.md': 'test/docs/page-commands.test.ts',
  'docs/ledger.md': 'test/docs/page-commands.test.ts',
  'docs/reference/rpc.md': 'test/docs/page-commands.test.ts',
  'docs/skills/tollfree/SKILL.md': 'test/docs/page-commands.test.ts',
};
