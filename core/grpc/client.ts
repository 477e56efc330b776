import { create } from '@bufbuild/protobuf';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { StatusRequestSchema } from '../../proto/gen/tollfree/core/v1/status_pb.ts';
import type { Core, PartStatus } from '../domain/core.ts';
import type { Secret } from '../domain/values/secret.ts';
import { unaryMethod } from './bridge.ts';
import { CoreUnavailableError } from './core-unavailable-error.ts';
import { defaultClientDeadlineMs, statusDeadlineMs } from './grpc-limits.ts';
import { partStatuses } from './messages/status-messages.ts';
import type { Send } from './operation.ts';
import type { OperationName } from './operation-types.ts';
import { operationNames, operations } from './operations.ts';
import type { GrpcClientTls } from './tls.ts';
import { openTransport, type Transport } from './transport.ts';

/**
 * The core of another process, at `host:port` or `unix:/path`. It connects with the first call, and again by itself
 * whenever the connection is lost.
 *
 * Operations reject with {@link CoreUnavailableError} when the core cannot be reached or does not answer within
 * `deadlineMs`; `status` then resolves to one part `core` that is not ready. Throws a sentence for the operator when the
 * address is not of this machine and there is no TLS: the calls carry keys.
 */
export function connectCore(options: {
  address: string;
  tls?: GrpcClientTls;
  /** What a server on loopback asks for. */
  token?: Secret<string>;
  deadlineMs?: number;
}): {
  core: Core;
  close(): void;
} {
  const deadlineMs = options.deadlineMs ?? defaultClientDeadlineMs;
  const transport = openTransport(options);
  const send: Send = (method, request) => transport.send(method, request, deadlineMs);
  const core: Core = {
    ...callersOf(send),
    status: () => askStatus(transport, Math.min(deadlineMs, statusDeadlineMs)),
  };
  return { core, close: () => transport.close() };
}

function callersOf(send: Send): Pick<Core, OperationName> {
  const callers = operationNames.map((name) => [name, operations[name].call(send)]);
  // Every operation by its name, which `fromEntries` cannot say; those without an input are called with `undefined`.
  return Object.fromEntries(callers) as Pick<Core, OperationName>;
}

async function askStatus(transport: Transport, deadlineMs: number): Promise<readonly PartStatus[]> {
  try {
    const method = unaryMethod(CoreService.method.status);
    return partStatuses.toDomain(await transport.send(method, create(StatusRequestSchema), deadlineMs));
  } catch (error) {
    const detail = error instanceof CoreUnavailableError ? error.message : 'the core failed to tell its status';
    return [{ part: 'core', ready: false, detail }];
  }
}
