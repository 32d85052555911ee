import { Controller, Get, Inject, Param } from '@nestjs/common';
import { type MessageId, type MessageView, messageView } from '@plinth/protocol';
import type { Principal } from '../auth/principal.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { MessageViews } from './message-views.js';

@Controller('v1/messages')
export class MessagesController {
  constructor(@Inject(MessageViews) private readonly views: MessageViews) {}

  @Get(':messageId')
  @Operation({
    summary: "An assistant message's state, from the ledger",
    tag: 'messages',
    access: 'any',
    status: 200,
    response: messageView,
    errors: ['not_found'],
  })
  get(@Caller() caller: Principal, @Param('messageId') messageId: string): Promise<MessageView> {
    return this.views.get(caller.tenantId, caller.viewer, messageId as MessageId);
  }
}
