import { cursorForm, defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable } from 'kysely';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, invalidField } from '../../domain/result/result.ts';
import type { WebhookAnswer } from '../../domain/webhook.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { webhookSecretBinding } from '../../webhooks/sign-webhook.ts';
import type { WebhookTester } from '../../webhooks/webhook-caller.ts';
import { toWebhook, webhookNotFound } from './manage-webhooks.ts';

/** The operations of `Core` on webhook answers. Pending writes of `recorder` are written before reading. */
export function manageWebhookAnswers(parts: {
  readonly store: Store;
  readonly box: SecretBox;
  readonly tester: WebhookTester;
  readonly recorder: { flush(): Promise<void> };
}): Pick<Core, 'testWebhook' | 'listWebhookAnswers'> {
  const { store, box, tester, recorder } = parts;

  function findWebhook(owned: Owned, webhookId: string) {
    return store.db
      .selectFrom('webhooks')
      .selectAll()
      .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
      .where('webhook_id', '=', webhookId)
      .executeTakeFirst();
  }

  return {
    async testWebhook({ webhookId, ...owned }) {
      if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
      const row = await findWebhook(owned, webhookId);
      if (row === undefined) return webhookNotFound;
      const secret = box.open(row.secret_sealed, webhookSecretBinding(webhookId));
      return accept(await tester.test({ ...toWebhook(row), secret }));
    },

    async listWebhookAnswers({ webhookId, cursor, limit = defaultPageSize, ...owned }) {
      if (cursor !== undefined && !cursorForm.test(cursor)) {
        return invalidField('cursor', 'must be the nextCursor of an earlier answer');
      }
      if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
      if ((await findWebhook(owned, webhookId)) === undefined) return webhookNotFound;
      await recorder.flush();
      const size = Math.min(Math.max(limit, 1), maxPageSize);
      // One more than requested, to see whether there are more.
      const rows = await store.db
        .selectFrom('webhook_answers')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .where('answer_number', '<', cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor))
        .orderBy('answer_number', 'desc')
        .limit(size + 1)
        .execute();
      const page = rows.slice(0, size);
      const next = rows.length > size ? page.at(-1)?.answer_number : undefined;
      return accept({ answers: page.map(toAnswer), ...omitAbsent({ nextCursor: next?.toString() }) });
    },
  };
}

function toAnswer(row: Selectable<Database['webhook_answers']>): WebhookAnswer {
  return {
    askedAt: row.asked_at,
    durationMs: row.duration_ms,
    verdict: row.verdict,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.problem === null ? {} : { problem: row.problem }),
    isTest: row.is_test === 1,
    ...(row.payload === 'DATA' ? {} : { payload: row.payload }),
  };
}
