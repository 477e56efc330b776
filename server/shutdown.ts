import closeWithGrace from 'close-with-grace';
import type { Logger } from '../core/base/logger.ts';

/**
 * Listeners have 10 s to drain, after the configured delay; the other parts have the rest of this time to close. In
 * milliseconds.
 */
const exitAfterMs = 12_000;

/** A second signal within this time counts as a repetition of the first one. */
const repeatedSignalMs = 1_000;
/** SIGHUP is sent when a terminal or an SSH session closes. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Makes a core reload its signing keys (`changing-keys.ts`); other processes ignore it. */
const keySignal = 'SIGUSR2';

type Close = () => Promise<void> | void;
type Part = { readonly part: string; readonly close: Close };

/** Started parts that must be stopped. */
export type Shutdown = {
  /** Adds a listener. Listeners are drained first, in parallel. */
  onDrain(part: string, close: Close): void;
  /** Adds a part that listeners need. These are closed after the listeners, last added first. */
  onClose(part: string, close: Close): void;
};

/**
 * Starts a service's parts. They are stopped, and the process ends, on SIGINT, SIGTERM, SIGHUP, and on an uncaught error
 * (exit code 1). A failed or interrupted start leaves nothing behind.
 */
export async function runService(
  options: { readonly logger: Logger; readonly drainDelayMs?: number },
  start: (shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  const { logger, drainDelayMs = 0 } = options;
  const listeners: Part[] = [];
  const parts: Part[] = [];
  const closeAll = async () => {
    await Promise.all(listeners.splice(0).map((listener) => closePart(listener, logger)));
    for (const part of parts.splice(0).reverse()) await closePart(part, logger);
  };
  const { close } = closeWithGrace(
    {
      delay: exitAfterMs + drainDelayMs,
      skip: [...stopSignals, keySignal],
      logger: { error: (error) => logger.error({ err: error }, 'shutdown was cut short') },
    },
    async ({ err }) => {
      if (err !== undefined) logger.error({ err }, 'stopping: unexpected error');
      await closeAll();
    },
  );
  closeOnSignal(close, logger);
  process.on(keySignal, () => undefined);
  try {
    await start({
      onDrain: (part, close) => listeners.push({ part, close }),
      onClose: (part, close) => parts.push({ part, close }),
    });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * The first signal closes; a clearly later one ends the process at once. Under npm a single Ctrl-C arrives twice, from the
 * terminal and from npm.
 */
function closeOnSignal(close: () => void, logger: Logger): void {
  let closingSince: number | undefined;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (closingSince === undefined) {
        closingSince = performance.now();
        logger.info({ signal }, 'stopping');
        close();
      } else if (performance.now() - closingSince > repeatedSignalMs) {
        process.exit(1);
      }
    });
  }
}

/** A part that fails to close does not keep the others open. */
async function closePart({ part, close }: Part, logger: Logger): Promise<void> {
  try {
    await close();
    logger.debug({ part }, 'closed');
  } catch (error) {
    logger.error({ err: error, part }, 'did not close');
  }
}
