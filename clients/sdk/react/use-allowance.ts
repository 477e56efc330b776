import { useCallback, useEffect, useRef, useState } from 'react';
import { type Allowance, type GetAllowanceParameters, getAllowance } from '../sponsor/get-allowance.ts';
import type { SponsorConnection } from '../sponsor/sponsor-connection.ts';

export type UseAllowanceOptions = GetAllowanceParameters & {
  /** Polling interval in milliseconds; 30,000 by default, 0 for never. */
  readonly refreshMs?: number | undefined;
};

/** The state of an allowance: the last answer, which stays during polling, and the error since then. */
export type AllowanceState = {
  readonly allowance: Allowance | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Polls now, for example after sending an operation. */
  readonly refresh: () => Promise<void>;
};

type Known = Pick<AllowanceState, 'allowance' | 'error' | 'isLoading'>;

const nothing: Known = { allowance: undefined, error: undefined, isLoading: false };
const defaultRefreshMs = 30_000;

/**
 * What is left for the user of a ticket or for an account, kept up to date while the component is there. Without both nothing is
 * asked. An answer to a former question is never shown.
 *
 * @example
 * const { allowance } = useAllowance(client, { ticket });
 * return <p>{allowance?.operationsLeft} free transactions left</p>;
 */
export function useAllowance(client: SponsorConnection, options: UseAllowanceOptions): AllowanceState {
  const { ticket, sender, policyId, refreshMs = defaultRefreshMs } = options;
  const [known, setKnown] = useState(nothing);
  const question = useRef(0);

  const refresh = useCallback(async () => {
    if (ticket === undefined && sender === undefined) return;
    question.current += 1;
    const asked = question.current;
    setKnown((before) => ({ ...before, isLoading: true }));
    const answer = await getAllowance(client, { ticket, sender, policyId }).then(
      (allowance) => ({ allowance, error: undefined }),
      (error: unknown) => ({ error }),
    );
    if (asked === question.current) setKnown((before) => ({ ...before, ...answer, isLoading: false }));
  }, [client, ticket, sender, policyId]);

  useEffect(() => {
    setKnown(nothing);
    void refresh();
    const timer = refreshMs > 0 ? setInterval(() => void refresh(), refreshMs) : undefined;
    return () => {
      clearInterval(timer);
      question.current += 1;
    };
  }, [refresh, refreshMs]);

  return { ...known, refresh };
}
