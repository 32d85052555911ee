import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../backend-problem.js';
import { describeIssues } from '../jobs/job-request.js';
import { printPrice, printWish } from './print-price.js';

/** `GET /print-shop/price?size=A3&copies=100`. */
export function printPriceRoute(app: FastifyInstance): void {
  app.get('/print-shop/price', async (request, reply) => {
    const wish = printWish.safeParse(request.query);
    if (!wish.success) return sendProblem(request, reply, 400, 'invalid_request', describeIssues(wish.error));
    return printPrice(wish.data);
  });
}
