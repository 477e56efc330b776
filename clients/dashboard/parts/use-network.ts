import { useSyncExternalStore } from 'react';
import type { Network } from './text/chain-name.ts';

const key = 'tollfree-network';
const listeners = new Set<() => void>();
let chosen = readNetwork();

function readNetwork(): Network | undefined {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'main' || stored === 'test' ? stored : undefined;
  } catch {
    return undefined; // a browser may deny access to its storage
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether main or test networks were chosen; undefined while no choice was made in this browser. */
export function useNetwork(): Network | undefined {
  return useSyncExternalStore(subscribe, () => chosen);
}

/** Chooses it, also for the next visit. */
export function setNetwork(network: Network): void {
  if (network === chosen) return;
  chosen = network;
  for (const listener of listeners) listener();
  try {
    localStorage.setItem(key, network);
  } catch {
    // It applies until the page is left.
  }
}
