import { type Hex, keccak256, numberToHex, slice } from 'viem';
import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import { draftDecision } from '../../../core/decisions/decision-draft.ts';
import { createDecisionRecorder } from '../../../core/decisions/record-decisions.ts';
import type { UserOperation } from '../../../core/domain/user-operation.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { systemClock } from '../../../server/system-clock.ts';
import { silentLogger } from '../../support/logging/recording-logger.ts';

const rows = 256;
const calls = 100;
const rounds = 3;

/** Milliseconds that it takes to record as many refused requests at once, each with calls of its own, in each round. */
export async function timeBatch(database: DatabaseAddress): Promise<readonly number[]> {
  const store = await openStore(database);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const recorder = createDecisionRecorder(store, silentLogger, systemClock);
    for (let row = 0; row < rows; row += 1) {
      const refusal = { reason: 'CONTRACT_NOT_REGISTERED', message: 'It is not registered.' } as const;
      recorder.record(draftOf(round * rows + row), 'refused', refusal);
    }
    const start = performance.now();
    await recorder.flush();
    times.push(performance.now() - start);
    await recorder.close();
  }
  await store.close();
  return times;
}

function draftOf(number: number) {
  const all: readonly Hex[] = Array.from({ length: calls }, (_, index) =>
    keccak256(numberToHex(number * calls + index + 1)),
  );
  const sender = slice(all[0] ?? '0x', 0, 20);
  const callData = `0x${all.map((text) => text.slice(2)).join('')}`;
  const userOperation = { sender, nonce: '0x0', callData, maxFeePerGas: '0x1', signature: '0x' };
  return {
    ...draftDecision('getFeeQuoteOrData', { chainId: 1, userOperation, context: {} } as never, Date.now()),
    paymasterId: '00000000-0000-4000-8000-000000000001',
    mode: 'SPONSORED' as const,
    operation: { sender, nonce: 0n, maxFeePerGas: 1n } as UserOperation,
    calls: all.map((text) => ({ target: slice(text, 0, 20), selector: slice(text, 20, 24) })),
  };
}
