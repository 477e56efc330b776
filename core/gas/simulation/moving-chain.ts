import type { Refusal } from '../../domain/result/refusal.ts';

/** How often an operation is simulated again because the chain went on between its calls. */
export const maxMoves = 3;

export const movingChain: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The node answers from another block each time.',
};
