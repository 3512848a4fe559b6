-- Has codes made for distinct addresses and handed out instead of mailed. Arguments: a word for this run, and, if wanted, a file for lines
-- of address and code; each thread writes one of its own, with its number behind the name.
dofile("summary.lua")

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(args)
  prefix, sent = args[1] .. "-" .. number .. "-", 0
  if args[2] then
    local file = assert(io.open(args[2] .. number, "w"))
    file:setvbuf("line")
    function response(status, headers, body)
      local email, code = body:match('"email":"([^"]+)".-"oobCode":"([^"]+)"')
      if code then file:write(email, " ", code, "\n") end
    end
  end
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer bench-admin-token"
end

function request()
  sent = sent + 1
  return wrk.format("POST", "/v1/projects/bench/accounts:sendOobCode", nil,
    '{"requestType":"EMAIL_SIGNIN","email":"' .. prefix .. sent .. '@people.example.com",' ..
    '"continueUrl":"https://app.example.com/finish?cart=1","returnOobLink":true}')
end
