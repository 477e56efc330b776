import { create } from '@bufbuild/protobuf';
import { coreOperations } from '@tollfree/contract/core-operations';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { StatusRequestSchema } from '../../proto/gen/tollfree/core/v1/status_pb.ts';
import type { Metric } from '../base/metrics/metric-registry.ts';
import type { Core } from '../domain/core.ts';
import type { PartStatus } from '../domain/operations/service-operations.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { unaryMethod } from './bridge.ts';
import type { CoreMember, MemberHealth } from './core-member.ts';
import { type CorePool, type CorePoolOptions, openCorePool } from './core-pool.ts';
import { defaultClientDeadlineMs, statusDeadlineMs } from './grpc-limits.ts';
import { isFrequent, type OperationName, operationNames, operations, statusCodec } from './operation.ts';
import { CoreUnavailableError } from './transport.ts';

/**
 * A remote core at `host:port` or `unix:/path`, or several of one database, with each call going to one of them. It connects
 * with the first call, and reconnects by itself.
 *
 * Operations reject with {@link CoreUnavailableError} when no core can be reached or answers within `deadlineMs`; `status`
 * then resolves to one part `core` that is not ready. Throws a sentence for the operator when an address is not on this
 * machine and there is no TLS: the calls contain keys.
 */
export function connectCore(
  options: Omit<CorePoolOptions, 'addresses'> & { address: string | readonly string[]; deadlineMs?: number },
): {
  core: Core;
  close(): void;
} {
  const deadlineMs = options.deadlineMs ?? defaultClientDeadlineMs;
  const pool = openCorePool({ ...options, addresses: [options.address].flat() });
  const callers = callersOf(pool, deadlineMs);
  let lastReady: readonly PartStatus[] | undefined;
  /** While one of several cores takes over, calls wait for it: that is no reason to send clients away. */
  async function readStatus(): Promise<readonly PartStatus[]> {
    const parts = await askStatus(pool, Math.min(deadlineMs, statusDeadlineMs));
    const isReady = parts.every(({ ready, optional }) => ready || optional);
    if (isReady) lastReady = parts;
    if (isReady || lastReady === undefined || !pool.isHandingOver()) return parts;
    return [...lastReady.filter(({ ready }) => ready), ...(await pool.members()).flatMap(missing)];
  }
  const core: Core = {
    ...callers,
    readMetrics: async () => {
      const members = await pool.members();
      return members.length > 1 ? metricsOfCores(members) : callers.readMetrics();
    },
    status: readStatus,
  };
  return { core, close: () => pool.close() };
}

function callersOf(pool: CorePool, deadlineMs: number): Pick<Core, OperationName> {
  const callers = operationNames.map((name) => {
    const { repeatable, deadlineMs: longest = deadlineMs } = coreOperations[name];
    const terms = { deadlineMs: longest, repeatable, isFrequent: isFrequent(name) };
    return [name, operations[name].call((method, request) => pool.send(method, request, terms))];
  });
  // The operations by name, which the type of `fromEntries` cannot express; those without an input are called with
  // `undefined`.
  return Object.fromEntries(callers) as Pick<Core, OperationName>;
}

async function askStatus(pool: CorePool, deadlineMs: number): Promise<readonly PartStatus[]> {
  try {
    const method = unaryMethod(CoreService.method.status);
    const answer = await pool.send(method, create(StatusRequestSchema), { deadlineMs, repeatable: true });
    const members = await pool.members();
    return [...statusCodec.toDomain(answer), ...(members.length > 1 ? members.flatMap(missing) : [])];
  } catch (error) {
    const detail = error instanceof CoreUnavailableError ? error.message : 'the core did not report its status';
    return [{ part: 'core', ready: false, detail }];
  }
}

const troubles: Readonly<Partial<Record<MemberHealth, string>>> = {
  'not serving': 'does not serve: it is stopping, or a part of it is not ready',
  silent: 'does not respond',
};

/** An unused core, as an optional part of the service. */
function missing(member: CoreMember): readonly PartStatus[] {
  const detail = troubles[member.health()];
  return detail === undefined ? [] : [{ part: `core ${member.address}`, ready: false, optional: true, detail }];
}

/** Time limit for one core's metrics, in milliseconds, so as not to delay the others. */
const maxWait = 2_000;

/**
 * The metrics of all answering cores, with the label `core` set to its address: each core counts separately, and mixing them
 * would make a counter go up and down. Rejects if none answers.
 */
async function metricsOfCores(members: readonly CoreMember[]): Promise<Result<readonly Metric[]>> {
  const answers = await Promise.allSettled(
    members.map(async (member) => {
      const terms = { deadlineMs: maxWait, repeatable: true };
      const answer = await operations.readMetrics.call((method, request) => member.send(method, request, terms))(
        undefined,
      );
      return answer.ok ? answer.value.map((metric) => labelled(metric, member.address)) : [];
    }),
  );
  const reported = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [first] = answers;
  if (reported.length === 0 && first?.status === 'rejected') throw first.reason;
  return accept(reported.flat());
}

function labelled(metric: Metric, core: string): Metric {
  return { ...metric, samples: metric.samples.map((one) => ({ ...one, labels: { ...one.labels, core } })) };
}
