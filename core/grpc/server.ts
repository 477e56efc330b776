import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { coreOperations } from '@tollfree/contract/core-operations';
import { CoreService, file_tollfree_core_v1_core_service } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import type { Logger } from '../base/logger.ts';
import type { Secret } from '../base/values/secret.ts';
import type { Core, Input } from '../domain/core.ts';
import type { Result } from '../domain/result/result.ts';
import { formatGrpcAddress, type GrpcAddress, isLocal, parseGrpcAddress, prepareSocketFolder } from './address.ts';
import { unaryMethod } from './bridge.ts';
import { methodOf, requireToken } from './call-metadata.ts';
import { createCallRunner, type ServeCall, type ServeTerms } from './call-runner.ts';
import { defaultGrpcServerLimits, type GrpcServerLimits, keepaliveMs } from './grpc-limits.ts';
import { addHealthService } from './health.ts';
import {
  isFrequent,
  type Operation,
  type OperationName,
  operationNames,
  operations,
  type Route,
  statusCodec,
  type Value,
} from './operation.ts';
import { addCallStreams } from './stream/serve-call-streams.ts';
import { type GrpcServerTls, serverCredentials } from './tls.ts';

export type GrpcServer = {
  /** The listening address, with the actual port. */
  readonly address: string;
  /**
   * Reports that it stops serving, gives clients that check its health time to notice, accepts no more calls, lets running
   * ones finish within the limits, then aborts them.
   */
  close(): Promise<void>;
};

/**
 * Exposes a core over gRPC at `127.0.0.1:50051`, `127.0.0.1:0` or `unix:/path`.
 *
 * Anyone with access may do everything. So it only listens on a unix socket (mode 0600) in a folder closed to other users,
 * on loopback with a token, or on any address with mutual TLS; a configured token is always required. Rejects with a
 * sentence for the operator when it cannot start.
 */
export async function startGrpcServer(options: {
  core: Core;
  address: string;
  tls?: GrpcServerTls;
  token?: Secret<string>;
  reflection: boolean;
  logger: Logger;
  limits?: Partial<GrpcServerLimits>;
}): Promise<GrpcServer> {
  const { core, tls, token, logger } = options;
  const limits = { ...defaultGrpcServerLimits, ...options.limits };
  const address = parseGrpcAddress(options.address);
  if (tls === undefined) refuseOpenAddress(address, token);
  const credentials = tls === undefined ? ServerCredentials.createInsecure() : serverCredentials(tls);

  const server = createServer(limits, token);
  const methods = addCoreService(server, { core, limits, logger });
  const callStreams = addCallStreams(server, { methods, limits });
  if (options.reflection) addReflectionService(server);
  const health = addHealthService(server, { core, limits });
  const stop = async () => {
    const noticeMs = health.isAskedFor() ? Math.min(limits.noticeMs, limits.drainMs) : 0;
    health.close();
    await delay(noticeMs);
    callStreams.stop();
    await shutDown(server, limits.drainMs - noticeMs);
  };
  try {
    const bound = await listen(server, address, credentials);
    logger.info({ address: bound, mutualTls: tls !== undefined }, 'gRPC server listens');
    return { address: bound, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loopback is open to every user of the machine, a unix socket only to its owner. */
function refuseOpenAddress(address: GrpcAddress, token: Secret<string> | undefined): void {
  const text = formatGrpcAddress(address);
  if (!isLocal(address)) {
    throw new Error(
      `gRPC on ${text} needs mutual TLS (server certificate, key and client authority); ` +
        'without it the server listens on loopback or on a unix socket only',
    );
  }
  if (address.kind === 'tcp' && token === undefined) {
    throw new Error(
      `gRPC on ${text} needs a token (grpc.tokenFile) or mutual TLS, since every user of this machine can connect to it; ` +
        'a unix socket needs neither',
    );
  }
}

function createServer(limits: GrpcServerLimits, token: Secret<string> | undefined): Server {
  return new Server({
    ...(token === undefined ? {} : { interceptors: [requireToken(token)] }),
    'grpc.max_receive_message_length': limits.maxRequestBytes,
    'grpc.max_send_message_length': limits.maxResponseBytes,
    'grpc.max_concurrent_streams': limits.maxConcurrentCalls + limits.maxHealthWatches + limits.maxCallStreams,
    'grpc.keepalive_time_ms': keepaliveMs.interval,
    'grpc.keepalive_timeout_ms': keepaliveMs.timeout,
    // Left on: without it the library's forceShutdown does not find the connections to cut.
    'grpc.enable_channelz': 1,
  });
}

/** Returns how each method that may be called on a stream is served, by its name. */
function addCoreService(
  server: Server,
  options: { core: Core; limits: GrpcServerLimits; logger: Logger },
): ReadonlyMap<string, ServeCall> {
  const { core } = options;
  const run = createCallRunner(options);
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  const frequent = new Map<string, ServeCall>();
  const routeWithin =
    (terms: ServeTerms): Route =>
    (method, handle) => {
      const asBytes = (bytes: Buffer) => bytes;
      definition[method.path] = { ...method, requestDeserialize: asBytes, responseSerialize: asBytes };
      const serve = run(method, handle, terms);
      implementation[method.path] = asUnaryCall(serve);
      if (terms.isFrequent) frequent.set(methodOf(method.path), serve);
    };

  for (const name of operationNames) {
    offer(core, name, routeWithin({ longestMs: coreOperations[name].deadlineMs, isFrequent: isFrequent(name) }));
  }
  routeWithin({ isFrequent: false })(unaryMethod(CoreService.method.status), async () =>
    statusCodec.toWire(await core.status()),
  );
  server.addService(definition, implementation);
  return frequent;
}

function asUnaryCall(serve: ServeCall): handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    const { request, metadata } = call;
    // A client that sets no deadline sends infinity.
    const timeoutMs = Number(call.getDeadline()) - Date.now();
    const onCancelled = (gone: () => void) => call.once('cancelled', gone);
    void serve({ request, timeoutMs, metadata, peer: call.getPeer(), onCancelled }, (end) => {
      if (end.code === status.OK) callback(null, end.response);
      else callback(end);
    });
  };
}

/** The core as a table: every operation by its name, with its input and value. */
type Performers = { readonly [Name in OperationName]: (input: Input<Name>) => Promise<Result<Value<Name>>> };

function offer<Name extends OperationName>(core: Core, name: Name, route: Route): void {
  const performers: Performers = core;
  const operation: Operation<Input<Name>, Value<Name>> = operations[name];
  operation.serve(route, (input) => performers[name](input));
}

async function listen(server: Server, address: GrpcAddress, credentials: ServerCredentials): Promise<string> {
  if (address.kind === 'unix') {
    prepareSocketFolder(address.path);
    await removeStaleSocket(address.path);
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(formatGrpcAddress(address), credentials, (error, boundPort) => {
      if (error === null) resolve(boundPort);
      else reject(new Error(`gRPC cannot listen on ${formatGrpcAddress(address)}: ${error.message}`));
    });
  });
  if (address.kind === 'tcp') return formatGrpcAddress({ ...address, port });
  await chmod(address.path, 0o600);
  return formatGrpcAddress(address);
}

function shutDown(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), drainMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Adds the standard reflection service, so that tools such as grpcurl find the operations without the .proto files. */
function addReflectionService(server: Server): void {
  const fileDescriptorProtos = withDependencies(file_tollfree_core_v1_core_service).map((file) =>
    Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)),
  );
  // The package expects proto-loader's output, of which it only reads the descriptors.
  const definition = { format: 'Protocol Buffer 3 EnumDescriptorProto' as const, type: {}, fileDescriptorProtos };
  new ReflectionService({ [file_tollfree_core_v1_core_service.proto.package]: definition }).addToServer(server);
}

function withDependencies(file: DescFile): DescFile[] {
  const found = new Set([file]);
  for (const one of found) for (const dependency of one.dependencies) found.add(dependency);
  return [...found];
}

/**
 * Prepares the path of a unix socket: removes one left by a dead process. Rejects with a sentence for the operator when the
 * path is anything else, or when a process listens there.
 */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`the gRPC socket ${path} cannot be read (${error.code})`);
  });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`the gRPC socket ${path} exists and is not a socket. It was not changed`);
  if (await isListening(path)) throw new Error(`another process listens on the gRPC socket ${path}`);
  await unlink(path);
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(false);
      else reject(new Error(`the gRPC socket ${path} cannot be opened (${error.code})`));
    });
  });
}
