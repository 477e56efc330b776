import { type handleUnaryCall, type Server, type ServerWritableStream, status } from '@grpc/grpc-js';
import { HealthImplementation, type ServingStatus } from 'grpc-health-check';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import type { Core } from '../domain/core.ts';
import { type GrpcServerLimits, healthCheckMs } from './grpc-limits.ts';

type WatchCall = ServerWritableStream<unknown, unknown>;

/** The services with a health status: the server as a whole, and its one service. */
const services = ['', CoreService.typeName] as const;

/** A client that asked within this time checks the health before sending. In milliseconds. */
const askedLatelyMs = 3 * (healthCheckMs.interval + healthCheckMs.timeout);

/** The health that a server tells of. */
type HealthService = {
  /** Whether a client currently watches it, or has asked recently. */
  isAskedFor(): boolean;
  /** From now on reports that the server stops, and ends the watches. */
  close(): void;
};

/**
 *
 *
 * Adds the standard health service. A check asks the core immediately; watches are notified of a change within the health
 * interval.
 */
export function addHealthService(server: Server, options: { core: Core; limits: GrpcServerLimits }): HealthService {
  const { core, limits } = options;
  const health = new HealthImplementation(Object.fromEntries(services.map((name) => [name, 'NOT_SERVING'])));
  const watches = new Set<WatchCall>();
  let current: ServingStatus = 'NOT_SERVING';
  let underWay: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  const publish = (next: ServingStatus) => {
    if (next === current) return;
    current = next;
    for (const name of services) health.setStatus(name, next);
  };
  /** Concurrent requests share one question to the core. */
  const refresh = () => {
    underWay ??= askCore(core, limits.statusTimeoutMs).then((next) => {
      underWay = undefined;
      publish(isClosed ? 'NOT_SERVING' : next);
    });
    return underWay;
  };

  health.addToServer({
    addService: (definition, handlers) => {
      // The package's types only say that there are handlers; its .proto defines them.
      const check = handlers.check as handleUnaryCall<unknown, unknown>;
      const watch = handlers.watch as (call: WatchCall) => void;
      server.addService(definition, {
        ...handlers,
        check: ((call, callback) => {
          askedAt = performance.now();
          refresh().then(() => check(call, callback));
        }) satisfies handleUnaryCall<unknown, unknown>,
        watch: (call: WatchCall) => {
          if (watches.size >= limits.maxHealthWatches) {
            call.emit('error', { code: status.RESOURCE_EXHAUSTED, details: 'too many watches' });
            return;
          }
          watches.add(call);
          call.on('cancelled', () => watches.delete(call));
          refresh().then(() => {
            if (watches.has(call)) watch(call);
          });
        },
      });
    },
  });

  const timer = setInterval(refresh, limits.healthIntervalMs);
  timer.unref();
  return {
    isAskedFor: () => watches.size > 0 || performance.now() - askedAt < askedLatelyMs,
    close() {
      isClosed = true;
      clearInterval(timer);
      publish('NOT_SERVING');
      for (const call of watches) call.end();
      watches.clear();
    },
  };
}

/** A core that rejects, or that does not answer in time, is not serving. */
async function askCore(core: Core, timeoutMs: number): Promise<ServingStatus> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<ServingStatus>((resolve) => {
    timer = setTimeout(() => resolve('NOT_SERVING'), timeoutMs);
  });
  const answer = core.status().then(
    (parts): ServingStatus => (parts.every((part) => part.ready || part.optional) ? 'SERVING' : 'NOT_SERVING'),
    (): ServingStatus => 'NOT_SERVING',
  );
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
