import { LRUCache } from 'lru-cache';
import type { Logger } from '../base/logger.ts';
import { entriesUpTo } from '../base/values/entries-up-to.ts';
import type { Store } from '../store/store.ts';
import { createWriteBehind } from '../store/write-behind.ts';

const secondsPerMinute = 60;
/** Most tokens, sessions and apiKeys whose last written minute is kept; an evicted one is written once more. */
const maxRemembered = 10_000;

type Use = { readonly of: 'auth-token' | 'session' | 'api-key'; readonly id: string; readonly minute: number };

/** Called for every use, with `at` in Unix seconds. */
export type NoteUse = (use: Pick<Use, 'of' | 'id'> & { readonly at: number }) => void;

/**
 * Records when authTokens, sessions and apiKeys were last used: rounded to the minute, at most once per minute, in the
 * background.
 */
export function createUseRecorder(
  store: Store,
  logger: Logger,
): { noteUse: NoteUse; flush(): Promise<void>; close(): Promise<void> } {
  const written = new LRUCache<string, number>(entriesUpTo(maxRemembered));
  const uses = createWriteBehind<Use>({
    store,
    logger,
    what: 'Last uses of authTokens, sessions and apiKeys',
    ownerOf: ({ id }) => id,
    insert: async (trx, rows) => {
      for (const { of, id, minute } of rows) {
        if (of === 'session') {
          await trx
            .updateTable('sessions')
            .set({ last_seen_at: minute })
            .where('session_id', '=', id)
            .where('last_seen_at', '<', minute)
            .execute();
        } else if (of === 'api-key') {
          await trx
            .updateTable('api_keys')
            .set({ last_used_at: minute })
            .where('api_key_id', '=', id)
            .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', minute)]))
            .execute();
        } else {
          await trx
            .updateTable('auth_tokens')
            .set({ last_used_at: minute })
            .where('auth_token_id', '=', id)
            .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', minute)]))
            .execute();
        }
      }
    },
  });
  return {
    noteUse({ of, id, at }) {
      const minute = at - (at % secondsPerMinute);
      if (written.get(id) === minute) return;
      written.set(id, minute);
      uses.add({ of, id, minute });
    },
    flush: uses.flush,
    close: uses.close,
  };
}
