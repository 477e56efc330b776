import { readSigners } from '../../ledger/signers.ts';
import type { ReadStore } from '../../store/open-to-read.ts';
import { auditAccounts } from './audit-accounts.ts';
import { type AuditEntry, auditRisks, auditTime } from './audit-entry.ts';
import { auditPaymasters } from './audit-paymasters.ts';

/** Who can do what at `now` (Unix seconds), most severe first. Changes nothing. */
export function readAudit(store: Pick<ReadStore, 'read'>, now: number): Promise<readonly AuditEntry[]> {
  return store.read(async (db) => {
    const entries = [...(await auditAccounts(db, now)), ...(await auditPaymasters(db, now)), ...(await signers(db))];
    return entries.toSorted((one, other) => auditRisks.indexOf(one.risk) - auditRisks.indexOf(other.risk));
  });
}

async function signers(db: ReadStore['db']): Promise<readonly AuditEntry[]> {
  const known = await readSigners({ db });
  return known
    .filter(({ until, openUntil }) => until === undefined || openUntil !== undefined)
    .map(({ chainId, contract, signer, until, openUntil }) => ({
      risk: until === undefined ? 'none' : 'low',
      kind: 'signer',
      id: signer,
      what:
        until === undefined || openUntil === undefined
          ? `signs for ${contract} of chain ${chainId}`
          : `no longer signs for ${contract} of chain ${chainId}; its signatures are open until ${auditTime(openUntil)}`,
    }));
}
