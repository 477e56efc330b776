import { ChannelCredentials, Client, status as grpcStatus, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import type { Secret } from '../domain/values/secret.ts';
import { accessMetadata } from './access-token.ts';
import { formatGrpcAddress, isLocal, parseGrpcAddress } from './address.ts';
import type { UnaryMethod } from './bridge.ts';
import { tracedCall } from './call-tracing.ts';
import { CoreUnavailableError } from './core-unavailable-error.ts';
import { defaultGrpcServerLimits, keepaliveMs, reconnectBackoffMs } from './grpc-limits.ts';
import { checkSocketFolder } from './socket-folder.ts';
import { clientCredentials, type GrpcClientTls } from './tls.ts';

/** A connection to a server that mends itself. */
export type Transport = {
  send<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    deadlineMs: number,
  ): Promise<Response>;
  close(): void;
};

/** Statuses of a transport that did not carry the answer, as against a server that made a mistake. */
const unavailableStatuses: readonly grpcStatus[] = [
  grpcStatus.UNAVAILABLE,
  grpcStatus.DEADLINE_EXCEEDED,
  grpcStatus.CANCELLED,
];

/**
 * Connects with the first call, and again by itself whenever the connection is lost. `send` rejects with
 * {@link CoreUnavailableError} when there is no answer in time. Throws a sentence for the operator when the address is
 * not of this machine and there is no TLS, or when others could have put a socket there: the calls carry keys.
 */
export function openTransport(options: { address: string; tls?: GrpcClientTls; token?: Secret<string> }): Transport {
  const client = openClient(options.address, options.tls);
  const metadata = accessMetadata(options.token);
  let closed = false;
  return {
    send(method, request, deadlineMs) {
      if (closed) return Promise.reject(new CoreUnavailableError('the connection to the core is closed'));
      return tracedCall(method.path, metadata, (withTrace) =>
        sendUnary({ client, metadata: withTrace }, method, request, deadlineMs),
      );
    },
    close() {
      closed = true;
      client.close();
    },
  };
}

function openClient(addressText: string, tls: GrpcClientTls | undefined): Client {
  const address = parseGrpcAddress(addressText);
  if (tls === undefined && !isLocal(address)) {
    throw new Error(`the core at ${addressText} is not on this machine: calls carry keys and need mutual TLS`);
  }
  if (address.kind === 'unix') checkSocketFolder(address.path);
  const credentials = tls === undefined ? ChannelCredentials.createInsecure() : clientCredentials(tls);
  return new Client(formatGrpcAddress(address), credentials, {
    ...omitAbsent({ 'grpc.ssl_target_name_override': tls?.serverName }),
    'grpc.max_send_message_length': defaultGrpcServerLimits.maxRequestBytes,
    'grpc.max_receive_message_length': defaultGrpcServerLimits.maxResponseBytes,
    'grpc.initial_reconnect_backoff_ms': reconnectBackoffMs.initial,
    'grpc.max_reconnect_backoff_ms': reconnectBackoffMs.max,
    'grpc.keepalive_time_ms': keepaliveMs.interval,
    'grpc.keepalive_timeout_ms': keepaliveMs.timeout,
    // The environment decides nothing here: no proxy, no settings from DNS.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.use_local_subchannel_pool': 1,
  });
}

function sendUnary<Request, Response>(
  { client, metadata }: { readonly client: Client; readonly metadata: Metadata },
  method: UnaryMethod<Request, Response>,
  request: Request,
  deadlineMs: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline: Date.now() + deadlineMs },
      (error, response) => {
        if (error !== null) reject(describeFailure(method.path, error));
        else if (response === undefined) reject(new Error(`${method.path} was answered with nothing`));
        else resolve(response);
      },
    );
  });
}

function describeFailure(path: string, error: ServiceError): Error {
  const name = grpcStatus[error.code];
  if (unavailableStatuses.includes(error.code)) {
    return new CoreUnavailableError(`the core did not answer ${path} (${name})`, { cause: error });
  }
  if (error.code === grpcStatus.UNAUTHENTICATED) {
    return new CoreUnavailableError('the core does not accept the token it was called with, or wants one', {
      cause: error,
    });
  }
  return new Error(`the core failed ${path} (${name}: ${error.details})`, { cause: error });
}
