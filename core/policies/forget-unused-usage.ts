import type { Transaction } from 'kysely';
import type { Policy } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';

/**
 * Forgets the counts that were not kept in step under the policy before, or will not be under the new one: those of
 * windows that only one of the two limits, and those that are to count USD and did not. They are counted again when a
 * limit next asks.
 */
export async function forgetUnusedUsage(
  trx: Transaction<Database>,
  paymasterId: string,
  { before, after }: { readonly before: Policy; readonly after: Policy },
): Promise<void> {
  const counted = countedWindows(before);
  const kept = [...countedWindows(after)].filter(
    ([key, usd]) => counted.has(key) && (!usd || counted.get(key) === true),
  );
  const keptKeys = new Set(kept.map(([key]) => key));
  const rows = await trx
    .selectFrom('limit_usage')
    .select(['span'])
    .select(({ eb }) => eb('subject', '=', '').as('total'))
    .distinct()
    .where('paymaster_id', '=', paymasterId)
    .execute();
  for (const { span, total } of rows) {
    if (keptKeys.has(`${total ? 'total' : 'sender'} ${span}`)) continue;
    await trx
      .deleteFrom('limit_usage')
      .where('paymaster_id', '=', paymasterId)
      .where('span', '=', span)
      .where('subject', total ? '=' : '<>', '')
      .execute();
  }
}

/** Whose windows a policy's limits count, and whether in USD too. */
function countedWindows({ limits }: Policy): Map<string, boolean> {
  const windows = new Map<string, boolean>();
  for (const { per, window, unit } of limits) {
    const key = `${per} ${window}`;
    windows.set(key, windows.get(key) === true || unit === 'usdMicros');
  }
  return windows;
}
