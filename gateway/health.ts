import type { Core, PartStatus } from '../core/domain/core.ts';

/** Whether the service can do its work, part by part. */
export type Readiness = { readonly ready: boolean; readonly parts: readonly PartStatus[] };

export type Health = {
  /** Asks the core; callers at the same time share one question. Never rejects. */
  readiness(): Promise<Readiness>;
  /** From now on not ready: the gateway is shutting down. */
  startDraining(): void;
};

const draining: PartStatus = { part: 'gateway', ready: false, detail: 'shutting down' };
const coreSilent: PartStatus = { part: 'core', ready: false, detail: 'the core does not answer' };

export function createHealth(core: Pick<Core, 'status'>): Health {
  let isDraining = false;
  let pending: Promise<readonly PartStatus[]> | undefined;

  function askCore(): Promise<readonly PartStatus[]> {
    pending ??= core
      .status()
      .catch(() => [coreSilent])
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  return {
    async readiness() {
      if (isDraining) {
        return { ready: false, parts: [draining] };
      }
      const parts = await askCore();
      return { ready: parts.every((part) => part.ready || part.optional), parts };
    },
    startDraining() {
      isDraining = true;
    },
  };
}
