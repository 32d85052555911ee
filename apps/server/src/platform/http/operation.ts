import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '@plinth/protocol';
import type { z } from 'zod';

/** Who may call: nobody's credential needed, any credential, or a back end's API key. */
export type Access = 'public' | 'any' | 'api_key';

/** What the API document says of an endpoint. Kept at the endpoint itself, so that it cannot drift far. */
export interface OperationSpec {
  summary: string;
  description?: string;
  tag: string;
  access: Access;
  /** Status of success. */
  status: number;
  body?: z.ZodType;
  /** When the body is bytes of this type, and not JSON. */
  bodyType?: string;
  query?: z.ZodObject;
  headers?: { name: string; description: string; required: boolean }[];
  /** Undefined: no body. */
  response?: z.ZodType;
  /** When the success answer is not JSON. */
  contentType?: string;
  errors: ErrorCode[];
}

export const OPERATION = Symbol('plinth:operation');

/** Describes an endpoint, and sets its status and who may call it. */
export function Operation(spec: OperationSpec): MethodDecorator {
  return applyDecorators(SetMetadata(OPERATION, spec), HttpCode(spec.status));
}
