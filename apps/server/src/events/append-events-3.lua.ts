import { LuaScript } from '../platform/redis/lua-script.js';

/**
 * Appends entries in their order, if the writer still holds the run and nothing of the log can have been lost: all of
 * those that do not stand there already, or none. What comes after the ninth argument are pairs of event id and payload.
 *
 * Numbers are given out only where the log has all that were given out before in its epoch. It has, if it is there,
 * and its epoch began in the present history of the data: within one, a key is whole or gone. `master_replid` is
 * Redis' own name of that history. It changes when a process begins, also on its old files, and when a replica takes
 * over. A log that is gone or of another history is begun anew in an epoch in which nothing was ever written, by the
 * one writer that has the ledger's word for it (`begins`: the fence to go on with; empty for all others).
 *
 * The tail is the stream's last generated id, not its last entry: an id that was ever given out stays taken.
 * A log that is gone forgets its seen ids too, or a lost entry would pass for one that stands in it.
 */
export const appendEvents = new LuaScript(
  `
local stream, head, seen = KEYS[1], KEYS[2], KEYS[3]
local channel, my_fence, begins = ARGV[1], ARGV[2], ARGV[5]
local epoch, expected_tail = tonumber(ARGV[3]), tonumber(ARGV[4])
local ttl_ms, max_length, trim, max_seen = ARGV[6], ARGV[7], ARGV[8], tonumber(ARGV[9])

local info = redis.call('INFO', 'replication')
local _, colon = string.find(info, 'master_replid:', 1, true)
if not colon then return redis.error_reply('ERR INFO names no master_replid, so this server cannot hold event logs') end
local history = string.match(info, '^%w+', colon + 1)

local known = redis.call('HMGET', head, 'fence', 'history')
local fence = tonumber(known[1] or '-1')
if begins ~= '' then fence = math.max(fence, tonumber(begins)) end
if my_fence ~= '' then
  if fence > tonumber(my_fence) then return { 'fenced', '' } end
  fence = tonumber(my_fence)
end

local tail, tail_epoch, tail_n = '', -1, 0
if redis.call('EXISTS', stream) == 1 then
  local about = redis.call('XINFO', 'STREAM', stream)
  for i = 1, #about, 2 do
    if about[i] == 'last-generated-id' then tail = about[i + 1] break end
  end
  local dash = string.find(tail, '-', 1, true)
  tail_epoch, tail_n = tonumber(string.sub(tail, 1, dash - 1)), tonumber(string.sub(tail, dash + 1))
else
  redis.call('DEL', seen)
end

local new = {}
for i = 10, #ARGV, 2 do
  if ARGV[i] == '' or not redis.call('ZSCORE', seen, ARGV[i]) then new[#new + 1] = i end
end
if #new == 0 then return { 'duplicate', tail } end
if tail_epoch > epoch then return { 'behind', tail } end
if tail_epoch < epoch and begins ~= '' then
  redis.call('HSET', head, 'history', history)
  tail_n = 0
elseif tail_epoch < epoch or known[2] ~= history or tail_n < expected_tail then
  return { 'tail_lost', tail }
end
if fence > tonumber(known[1] or '-1') then redis.call('HSET', head, 'fence', string.format('%.0f', fence)) end

local seq
for offset, i in ipairs(new) do
  local event_id, payload, n = ARGV[i], ARGV[i + 1], tail_n + offset
  seq = string.format('%.0f-%.0f', epoch, n)
  redis.call('XADD', stream, 'MAXLEN', trim, max_length, seq, 'p', payload)
  -- Epoch and n in one number that a double holds: older ids go first.
  if event_id ~= '' then redis.call('ZADD', seen, epoch * 1000000000 + n, event_id) end
  -- Plain PUBLISH: a Cluster repeats it on every node. SPUBLISH would keep it in the slot, for which the channel has its hash tag.
  redis.call('PUBLISH', channel, seq .. ' ' .. payload)
end
redis.call('ZREMRANGEBYRANK', seen, 0, -max_seen - 1)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ttl_ms) end
return { 'appended', seq }
`,
  3,
);
