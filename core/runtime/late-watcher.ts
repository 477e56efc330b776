import type { ChainWatcher } from '../node/chain-watcher.ts';

/** A watcher instead of the one that begins once its chain has been looked over. */
type LateWatcher = ChainWatcher & {
  /** From now on `watcher` answers; it is closed with this one, at once when that has happened. */
  begin(watcher: ChainWatcher): void;
  /** Why it has not begun, in words. */
  wait(fault: string): void;
};

/** Until it begins nothing has been seen of the chain, so nothing is signed on it. */
export function createLateWatcher(chainId: number): LateWatcher {
  let begun: ChainWatcher | undefined;
  let waitingFor = 'the chain has not been read yet';
  let closed = false;
  return {
    begin: (watcher) => {
      begun = watcher;
      // It was asked to begin while everything is being closed; it has nothing under way that others wait for.
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
