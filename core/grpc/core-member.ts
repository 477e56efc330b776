import type { UnaryMethod } from './bridge.ts';
import { healthCheckMs } from './grpc-limits.ts';
import { CoreOutdatedError, CoreUnavailableError, openTransport, type TransportOptions } from './transport.ts';

/**
 * The known state of a core, best first: it serves; unknown; it reports that it does not serve, because it stops or a part
 * of it is not ready; it does not answer.
 */
export const memberHealths = ['serving', 'unknown', 'not serving', 'silent'] as const;
export type MemberHealth = (typeof memberHealths)[number];

/** How to send a call. */
export type CallTerms = {
  readonly deadlineMs: number;
  /** Whether running it twice is harmless (`repeatable` of its description). */
  readonly repeatable: boolean;
  /** Whether many are made at once, with short answers: such calls can travel together. */
  readonly isFrequent?: boolean;
};

/** One of several cores. */
export type CoreMember = {
  readonly address: string;
  health(): MemberHealth;
  send<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    terms: CallTerms,
  ): Promise<Response>;
  /** Checks whether it serves, and returns how many checks in a row got no answer. Never rejects. */
  look(): Promise<number>;
  /** Cancels pending repeatable calls: they reject as unavailable. */
  giveUp(): void;
  close(): void;
};

/** Opens the connection to one core. Throws like {@link openTransport}. */
export function openCoreMember(address: string, options: TransportOptions): CoreMember {
  const transport = openTransport(options);
  const waiting = new Set<() => void>();
  let health: MemberHealth = 'unknown';
  let silentLooks = 0;
  let underWay: Promise<number> | undefined;

  async function lookNow(): Promise<number> {
    try {
      health = (await transport.isServing(healthCheckMs.timeout)) ? 'serving' : 'not serving';
      silentLooks = 0;
    } catch {
      health = 'silent';
      silentLooks += 1;
    }
    return silentLooks;
  }

  return {
    address,
    health: () => health,
    async send(method, request, { deadlineMs, repeatable, isFrequent = false }) {
      let giveUp: (() => void) | undefined;
      const onSent = (cancel: () => void) => {
        giveUp = cancel;
        waiting.add(cancel);
      };
      try {
        return await transport.send(method, request, {
          deadlineMs,
          isFrequent,
          onSent: repeatable ? onSent : undefined,
        });
      } catch (error) {
        // A call that could not be sent counts like a check. An older core answers.
        const isSent = error instanceof CoreOutdatedError || !(error instanceof CoreUnavailableError && error.notBegun);
        if (!isSent) health = 'silent';
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
