import type { Migration } from '../../migration.ts';

/** What webhooks answered, the newest of each; `is_test` is 1 where the account holder asked for a test call. */
export const webhookAnswers: Migration = {
  version: 17,
  name: 'webhook-answers',
  sql: `
    CREATE TABLE webhook_answers (
      answer_number INTEGER PRIMARY KEY AUTOINCREMENT,
      webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
      asked_at INTEGER NOT NULL CHECK (asked_at >= 0),
      duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
      verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'refused', 'unavailable')),
      status INTEGER,
      problem TEXT CHECK (problem IS NULL OR verdict = 'unavailable'),
      is_test INTEGER NOT NULL CHECK (is_test IN (0, 1))
    ) STRICT;
    CREATE INDEX webhook_answers_by_webhook ON webhook_answers (webhook_id, answer_number);
  `,
};
