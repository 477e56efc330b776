import type { UnaryMethod } from './bridge.ts';
import { CoreUnavailableError } from './core-unavailable-error.ts';
import { healthCheckMs } from './grpc-limits.ts';
import { openTransport, type TransportOptions } from './transport.ts';

/**
 * What is known of a core, the best first: it serves; nothing yet; it says that it does not, because it stops or a part of it
 * is not ready; it does not answer.
 */
export const standings = ['serving', 'unknown', 'not serving', 'silent'] as const;
export type Standing = (typeof standings)[number];

/** How a call is to be sent. */
export type CallTerms = {
  readonly deadlineMs: number;
  /** Whether it does no harm where it is carried out twice (`repeatable` of its description). */
  readonly repeatable: boolean;
  /** Whether many are made at once, with short answers: such calls can travel together. */
  readonly isFrequent?: boolean;
};

/** One of several cores. */
export type CoreMember = {
  readonly address: string;
  standing(): Standing;
  send<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    terms: CallTerms,
  ): Promise<Response>;
  /** Looks whether it serves, and answers how many looks in a row were left without an answer. Never rejects. */
  look(): Promise<number>;
  /** Gives up the calls that wait and are repeatable: they reject as unavailable. */
  giveUp(): void;
  close(): void;
};

/** Opens the way to one core. Throws as {@link openTransport} does. */
export function openCoreMember(address: string, options: TransportOptions): CoreMember {
  const transport = openTransport(options);
  const waiting = new Set<() => void>();
  let standing: Standing = 'unknown';
  let silentLooks = 0;
  let underWay: Promise<number> | undefined;

  async function lookNow(): Promise<number> {
    try {
      standing = (await transport.isServing(healthCheckMs.timeout)) ? 'serving' : 'not serving';
      silentLooks = 0;
    } catch {
      standing = 'silent';
      silentLooks += 1;
    }
    return silentLooks;
  }

  return {
    address,
    standing: () => standing,
    async send(method, request, { deadlineMs, repeatable, isFrequent = false }) {
      let giveUp: (() => void) | undefined;
      const onSent = (cancel: () => void) => {
        giveUp = cancel;
        waiting.add(cancel);
      };
      try {
        return await transport.send(method, request, {
          ...{ deadlineMs, isFrequent },
          onSent: repeatable ? onSent : undefined,
        });
      } catch (error) {
        // A call that could not be sent tells as much as a look.
        if (error instanceof CoreUnavailableError && error.notBegun) standing = 'silent';
        throw error;
      } finally {
        if (giveUp !== undefined) waiting.delete(giveUp);
      }
    },
    look() {
      underWay ??= lookNow().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    giveUp() {
      for (const cancel of waiting) cancel();
    },
    close: () => transport.close(),
  };
}
