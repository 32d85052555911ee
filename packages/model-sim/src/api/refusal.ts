/** An answer that refuses a request, as it goes over the wire. */
export abstract class Refusal extends Error {
  abstract readonly status: number;
  /** A JSON value; a string is a page of HTML. */
  abstract body(): unknown;
}

/** A body refused for its size alone; nobody wants to keep it. */
export class BodyRefusal extends Refusal {
  readonly status: number;

  constructor(private readonly refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
  }

  body(): unknown {
    return this.refusal.body();
  }
}
