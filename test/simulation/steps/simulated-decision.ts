import { randomUUID } from 'node:crypto';
import { encodeDecisionRecord } from '../../../core/decisions/decision-record.ts';
import { modeOf } from '../../../core/domain/user-share.ts';
import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import type { DecisionRow } from '../../../core/store/decision-tables.ts';
import { numberedAddress } from '../../support/core/ledger-lab.ts';
import { chainId } from '../world/world.ts';

const contracts = 3n;

/** The row of a signature: two calls of the same contract. The nonce and the terms say which, of which method, and how it was asked for. */
export function simulatedDecision({ policy, payment, sender, nonce, terms }: HoldRequest, now: number): DecisionRow {
  const mode = modeOf(payment);
  const target = numberedAddress(Number(nonce % contracts) + 1);
  const calls = [{ target, selector: terms.length % 2 === 0 ? '0xaaaaaaaa' : '0xbbbbbbbb' } as const, { target }];
  return {
    decision_id: randomUUID(),
    paymaster_id: policy.paymasterId,
    chain_id: chainId,
    method: nonce % 2n === 0n ? 'relayUserOperation' : 'getFeeQuoteOrData',
    outcome: 'signed',
    mode,
    reason: null,
    sender,
    nonce: nonce.toString(),
    token: mode === 'ERC20' ? numberedAddress(8) : null,
    hold_id: null,
    ...encodeDecisionRecord({ facts: { calls, deploysOnly: false, maxFeePerGas: 1n }, trace: [] }),
    created_at: now,
  };
}
