import type { InterruptStatus } from '@plinth/client';
import type { FieldError, InterruptView, JsonObject, JsonValue } from '@plinth/protocol';

export type ComponentInterrupt = Extract<InterruptView, { kind: 'component' }>;

/** What a component of the host gets when the model asks for it. */
export type ComponentToolProps<Props extends JsonObject = JsonObject, Value extends JsonValue = JsonValue> = {
  interrupt: ComponentInterrupt;
  /** The tool's fixed props with the call's arguments laid over them. */
  props: Props;
  /** Answers the model. The server checks the value against the tool's schema. */
  submit(value: Value): void;
  /** Tells the model that the person does not want to. */
  decline(reason?: string): void;
  status: InterruptStatus;
  /** What the server found wrong with the last submission, by the path of the field. */
  errors: FieldError[];
};
