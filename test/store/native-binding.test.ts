import { expect, test, vi } from 'vitest';
import { openStore } from '../../core/store/open-store.ts';
import { StoreError } from '../../core/store/store-error.ts';

vi.mock('better-sqlite3', () => ({
  default: class {
    constructor() {
      throw new Error('Could not locate the bindings file. Tried: (a long list)');
    }
  },
}));

test('an install without the compiled part of better-sqlite3 is told how to get it', async () => {
  const opened = openStore('/nonexistent/tollfree.db');
  await expect(opened).rejects.toThrow(StoreError);
  await expect(opened).rejects.toThrow('Run `npm rebuild better-sqlite3`');
  await expect(opened).rejects.not.toThrow('a long list');
});
