import type { Hex } from 'viem';
import type { DecidedCall } from '../../domain/decision.ts';

/** What a call sends: wei, and its data; undefined for a decision of the past that did not record it. */
export type CallContent = { readonly value: bigint; readonly data: Hex };

/** A call with what it sends. */
export type AskedCall = DecidedCall & { readonly content: CallContent | undefined };
