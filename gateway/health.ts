import type { Logger } from '../core/base/logger.ts';
import type { Core } from '../core/domain/core.ts';
import type { PartStatus } from '../core/domain/operations/service-operations.ts';

/** Whether each part of the service works. */
export type Readiness = { readonly ready: boolean; readonly parts: readonly PartStatus[] };

export type Health = {
  /** Asks the core; concurrent callers share one question. Never rejects. */
  readiness(): Promise<Readiness>;
  /** Reports not ready from now on: the gateway is shutting down. */
  startDraining(): void;
};

const draining: PartStatus = { part: 'gateway', ready: false, detail: 'shutting down' };
const coreSilent: PartStatus = { part: 'core', ready: false, detail: 'the core does not respond' };

/** Logs once per part why it is not ready, and once when it is again. */
export function createHealth(core: Pick<Core, 'status'>, logger: Logger): Health {
  const notReady = new Set<string>();
  let isDraining = false;
  let pending: Promise<readonly PartStatus[]> | undefined;

  function say(parts: readonly PartStatus[], cause?: unknown): void {
    const faults = new Map(parts.flatMap((part) => (part.ready ? [] : [[part.part, part.detail] as const])));
    for (const part of [...notReady].filter((name) => !faults.has(name))) {
      notReady.delete(part);
      logger.info({ part }, 'Ready again');
    }
    for (const [part, detail] of faults) {
      if (notReady.has(part)) continue;
      notReady.add(part);
      logger.warn({ part, detail, ...(cause === undefined ? {} : { err: cause }) }, 'Not ready');
    }
  }

  async function ask(): Promise<readonly PartStatus[]> {
    try {
      const parts = await core.status();
      say(parts);
      return parts;
    } catch (cause) {
      say([coreSilent], cause);
      return [coreSilent];
    }
  }

  function askCore(): Promise<readonly PartStatus[]> {
    pending ??= ask().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return {
    async readiness() {
      if (isDraining) return { ready: false, parts: [draining] };
      const parts = await askCore();
      return { ready: parts.every((part) => part.ready || part.optional), parts };
    },
    startDraining() {
      isDraining = true;
    },
  };
}
