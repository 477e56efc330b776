import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { file_tollfree_core_v1_core_service } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';

/** Adds the standard reflection service, so that tools such as grpcurl find the operations without the .proto files. */
export function addReflectionService(server: Server): void {
  const fileDescriptorProtos = withDependencies(file_tollfree_core_v1_core_service).map((file) =>
    Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)),
  );
  // The package takes what proto-loader makes of .proto files, of which it reads the descriptors and nothing else.
  const definition = { format: 'Protocol Buffer 3 EnumDescriptorProto' as const, type: {}, fileDescriptorProtos };
  new ReflectionService({ [file_tollfree_core_v1_core_service.proto.package]: definition }).addToServer(server);
}

function withDependencies(file: DescFile): DescFile[] {
  const found = new Set([file]);
  for (const one of found) for (const dependency of one.dependencies) found.add(dependency);
  return [...found];
}
