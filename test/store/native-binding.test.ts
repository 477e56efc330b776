import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// The store is loaded again before and after: other files of this worker have it with the real module.
beforeAll(() => {
  vi.resetModules();
  vi.doMock('../../core/store/sqlite/open-handle.ts', () => ({
    openHandle: () => {
      throw new Error('Could not locate the bindings file. Tried: (a long list)');
    },
  }));
});
afterAll(() => {
  vi.doUnmock('../../core/store/sqlite/open-handle.ts');
  vi.resetModules();
});

test('an install without the compiled part of SQLite is told how to get it', async () => {
  const { openStore } = await import('../../core/store/open-store.ts');
  const { StoreError } = await import('../../core/store/store-error.ts');
  const opened = openStore({ kind: 'sqlite', file: '/nonexistent/tollfree.db' });
  await expect(opened).rejects.toThrow(StoreError);
  await expect(opened).rejects.toThrow('Install without --omit=optional');
  await expect(opened).rejects.not.toThrow('a long list');
});
