import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { Notice } from './problem.tsx';
import { clockText } from './text/moment-text.ts';

let offlineSince: number | undefined = onlineManager.isOnline() ? undefined : Date.now();
onlineManager.subscribe((isOnline) => {
  offlineSince = isOnline ? undefined : Date.now();
});

/** When the browser lost its connection, in milliseconds; undefined while it has one. */
export function useOfflineSince(): number | undefined {
  return useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => offlineSince,
  );
}

/** Says on every page that there is no connection, since when, and what becomes of changes. Stays in sight. */
export function OfflineLine() {
  const since = useOfflineSince();
  return (
    <div role="status" className={since === undefined ? '' : 'page offline'}>
      {since === undefined ? null : (
        <Notice kind="warn">
          Offline since {clockText(since)}: what you see may be out of date. What you save waits until you are back;
          keep this page open.
        </Notice>
      )}
    </div>
  );
}
