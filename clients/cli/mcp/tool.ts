import type { ManagementClient } from '@tollfree/sdk/management';
import type { z } from 'zod';

/** The dependencies of tools. */
export type ToolContext = {
  readonly client: ManagementClient;
  /** The address of the service, for links in answers. */
  readonly baseUrl: string;
  /** The apiKey of the paymaster with this name or id; of the default one if none is named. */
  apiKeyOf(paymaster: string | undefined): Promise<string>;
};

/** An action of the assistant. */
export type Tool = {
  readonly name: string;
  /** For the assistant, which selects tools by it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** `arguments` have passed `input`. The result is sent as JSON. */
  readonly run: (context: ToolContext, given: never) => Promise<unknown>;
};

/** Ties the type of a tool's input to its function. */
export function tool<Input extends z.ZodObject>(parts: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly run: (context: ToolContext, given: z.output<Input>) => Promise<unknown>;
}): Tool {
  return parts;
}
