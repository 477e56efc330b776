import type { ChainWatcher } from '../node/chain-watcher.ts';

/** Placeholder for the watcher of a chain that was not checked yet. */
type LateWatcher = ChainWatcher & {
  /** From now on `watcher` answers. It is closed together with this one, or at once if this one is closed already. */
  begin(watcher: ChainWatcher): void;
  /** Why it has not begun, in words. */
  wait(fault: string): void;
};

/** Until it begins, nothing is known of the chain, so nothing is signed on it. */
export function createLateWatcher(chainId: number): LateWatcher {
  let begun: ChainWatcher | undefined;
  let waitingFor = 'the chain has not been read yet';
  let closed = false;
  return {
    begin: (watcher) => {
      begun = watcher;
      // It was started during shutdown and has no work that others wait for.
      if (closed) void watcher.close();
    },
    wait: (fault) => {
      waitingFor = fault;
    },
    view: () => begun?.view(),
    faultOf: (contract) => begun?.faultOf(contract),
    fault: () => (begun === undefined ? waitingFor : begun.fault()),
    catchUp: () => begun?.catchUp() ?? Promise.reject(new Error(`Chain ${chainId} is not open yet`)),
    close: async () => {
      closed = true;
      await begun?.close();
    },
  };
}
