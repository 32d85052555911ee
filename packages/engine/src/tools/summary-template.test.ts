import { describe, expect, it } from 'vitest';
import { renderSummary, templateProblem } from './summary-template.js';

const RESULT = {
  total: 3,
  orders: [{ id: 'A-1' }, { id: 'A-2' }],
  customer: { name: 'Ada', tags: ['new'] },
  none: null,
};

describe('the summary of a structured result', () => {
  it('fields, items and counts are filled in', () => {
    const template =
      '{{total}} orders of {{customer.name}}, {{orders.length}} shown, first {{ orders.0.id }}';
    expect(renderSummary(template, RESULT)).toBe('3 orders of Ada, 2 shown, first A-1');
  });

  it('what the result lacks reads as a dash, and a structure as JSON', () => {
    expect(renderSummary('{{nothing}} {{none}} {{orders.7.id}} {{customer.tags}}', RESULT)).toBe(
      '– – – ["new"]',
    );
  });

  it('what every object inherits is not a field', () => {
    expect(renderSummary('{{constructor}} {{customer.toString}}', RESULT)).toBe('– –');
  });

  it('a text, a number or no template has no summary', () => {
    expect(renderSummary('{{length}}', 'text')).toBeNull();
    expect(renderSummary('{{length}}', null)).toBeNull();
    expect(renderSummary(undefined, RESULT)).toBeNull();
  });

  it('a long value is cut, and so is the line', () => {
    expect(renderSummary('{{t}}', { t: 'x'.repeat(5_000) })).toHaveLength(200);
    expect(renderSummary('{{t}}'.repeat(100), { t: 'x'.repeat(190) })).toHaveLength(1000);
  });

  it('a template that names no field or leaves braces open is refused', () => {
    expect(templateProblem('{{total}} orders')).toBeNull();
    expect(templateProblem('plain')).toBeNull();
    expect(templateProblem('{{}}')).toContain('must name a field');
    expect(templateProblem('{{a b}}')).toContain('"{{a b}}"');
    expect(templateProblem('{{total} orders')).toContain('braces');
  });
});
