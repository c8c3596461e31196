// A bot in C++17: one file, nothing beyond the standard library, only the protocol (see SPEC.md).
//
// The arena starts `command` of bot.toml, which compiles this file and runs it, and talks to it in
// lines of JSON: one message per line, from the arena on standard input, to the arena on standard
// output. Standard error (std::cerr) is yours for notes.
//
//     arena                                     bot
//     hello   which protocol it speaks    ->
//                                         <-    hello    your name and your games
//     start   a match begins              ->             (no answer)
//     decide  your view of the table      ->
//                                         <-    action   one of view["legal"], and the same number
//     finish  scores and ranks            ->
//                                         <-    finish
//     bye     nothing more will come      ->             (no answer: end)
//
// Many matches may be under way at once: `match` says which one a message is about. Fields that you
// do not know are to be ignored. If you cannot go on, say `error` with a message, and end.
//
// To make this bot your own, change the rules below. A rule gives a number to a legal action; the
// action with the largest is played, the first of them when several have it. To use luck, make a
// std::mt19937_64 for each match from the `seed` of its `start`: then the bot plays the same match
// again in the same way, which `arena check` asks of it.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

const std::string NAME = "starter-cpp";

// A JSON value. `raw` is its text in the line it came from: what is sent back needs no writer.
struct Json {
  enum Kind { null, boolean, number, string, array, object } kind = null;
  std::string_view raw;
  double value = 0;                // of a number; 1 for true
  std::string text;                // of a string
  std::vector<std::string> names;  // of an object's fields, whose values are the items
  std::vector<Json> items;

  const Json& operator[](const std::string& name) const {
    for (size_t i = 0; i < names.size(); i++)
      if (names[i] == name) return items[i];
    throw std::runtime_error("there is no field " + name);
  }
  const Json& operator[](size_t place) const { return items.at(place); }
  size_t size() const { return items.size(); }
  size_t index() const { return static_cast<size_t>(value); }
  bool is(std::string_view word) const { return kind == string && text == word; }
};

// Reads one JSON value; anything wrong is an exception.
class Reader {
 public:
  explicit Reader(std::string_view line) : line_(line) {}

  Json read() {
    Json json = read_value();
    if (peek() != '\0') fail();
    return json;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("not JSON at character " + std::to_string(at_));
  }

  char peek() {
    while (at_ < line_.size() && std::string_view(" \t\r\n").find(line_[at_]) != line_.npos) at_++;
    return at_ < line_.size() ? line_[at_] : '\0';
  }

  bool take(char wanted) { return peek() == wanted && ++at_; }
  void expect(char wanted) { take(wanted) || (fail(), true); }

  bool take_word(std::string_view word) {
    if (line_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Json read_value() {
    Json json;
    char next = peek();
    size_t from = at_;
    if (next == '{') {
      json.kind = Json::object;
      read_list('}', [&] {
        peek();
        json.names.push_back(read_string());
        expect(':');
        json.items.push_back(read_value());
      });
    } else if (next == '[') {
      json.kind = Json::array;
      read_list(']', [&] { json.items.push_back(read_value()); });
    } else if (next == '"') {
      json.kind = Json::string;
      json.text = read_string();
    } else if (take_word("true") || take_word("false")) {
      json.kind = Json::boolean;
      json.value = next == 't';
    } else if (!take_word("null")) {
      json.kind = Json::number;
      size_t end = std::min(line_.find_first_not_of("+-.0123456789eE", at_), line_.size());
      if (end == at_) fail();
      json.value = std::strtod(std::string(line_.substr(at_, end - at_)).c_str(), nullptr);
      at_ = end;
    }
    json.raw = line_.substr(from, at_ - from);
    return json;
  }

  template <typename Item>
  void read_list(char close, Item read_item) {
    at_++;
    if (take(close)) return;
    do read_item();
    while (take(','));
    expect(close);
  }

  std::string read_string() {
    if (at_ >= line_.size() || line_[at_++] != '"') fail();
    std::string text;
    while (at_ < line_.size() && line_[at_] != '"') {
      char next = line_[at_++];
      text += next == '\\' ? read_escape() : std::string(1, next);
    }
    if (at_++ >= line_.size()) fail();
    return text;
  }

  std::string read_escape() {
    const std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (at_ >= line_.size()) fail();
    char letter = line_[at_++];
    if (letter != 'u') {
      size_t place = letters.find(letter);
      if (place == letters.npos) fail();
      return std::string(1, meant[place]);
    }
    unsigned code = read_hex();
    if (code >= 0xD800 && code < 0xDC00 && take_word("\\u"))
      code = 0x10000 + ((code - 0xD800) << 10) + (read_hex() - 0xDC00);
    return utf8(code);
  }

  static std::string utf8(unsigned code) {
    auto byte = [&](unsigned mark, unsigned shift, unsigned mask) {
      return std::string(1, static_cast<char>(mark | (code >> shift & mask)));
    };
    if (code < 0x80) return byte(0, 0, 0x7F);
    if (code < 0x800) return byte(0xC0, 6, 0x1F) + byte(0x80, 0, 0x3F);
    std::string tail = byte(0x80, 6, 0x3F) + byte(0x80, 0, 0x3F);
    if (code < 0x10000) return byte(0xE0, 12, 0x0F) + tail;
    return byte(0xF0, 18, 0x07) + byte(0x80, 12, 0x3F) + tail;
  }

  unsigned read_hex() {
    if (at_ + 4 > line_.size()) fail();
    at_ += 4;
    return static_cast<unsigned>(
        std::strtoul(std::string(line_.substr(at_ - 4, 4)).c_str(), nullptr, 16));
  }

  std::string_view line_;
  size_t at_ = 0;
};

double sum(const Json& numbers) {
  double total = 0;
  for (const Json& number : numbers.items) total += number.value;
  return total;
}

std::vector<double> sorted(const Json& numbers) {
  std::vector<double> values;
  for (const Json& number : numbers.items) values.push_back(number.value);
  std::sort(values.begin(), values.end());
  return values;
}

// The best bill of a casino that I would lead alone, for each die of mine there.
double lasvegas(const Json& view, const Json& action) {
  size_t casino = action["value"].index() - 1, seat = view["seat"].index();
  const Json& dice = view["dice"][casino];
  double thrown = view["throw"][casino].value, mine = dice[seat].value + thrown;
  double rivals = view["white"][casino].value + view["white_throw"][casino].value;
  for (size_t other = 0; other < dice.size(); other++)
    if (other != seat) rivals = std::max(rivals, dice[other].value);
  return mine > rivals ? view["bills"][casino][0].value / mine : -thrown;
}

// Table C with few points, else A; keep what the table wants; buy nothing; rob the rich.
double cincinnati(const Json& view, const Json& action) {
  size_t seat = view["seat"].index();
  const Json& duel = view["duel"];
  if (action["type"].is("table")) {
    bool few = sum(view["hands"][seat]) <= 13;
    return action["table"].is("A") ? 1 : action["table"].is("C") && few ? 2 : 0;
  }
  if (action["type"].is("keep")) {
    bool fighting = duel.kind == Json::object;
    bool low = !fighting && view["choices"][seat].is("C");
    std::vector<double> dice = sorted(fighting ? duel["hands"][seat] : view["hands"][seat]);
    auto worth = [&](double die) { return 10 * std::count(dice.begin(), dice.end(), die) + die; };
    double best = 0;
    for (double die : dice) best = std::max(best, worth(die));
    std::vector<double> wanted;
    for (double die : dice)
      if (low ? die <= 2 : worth(die) == best) wanted.push_back(die);
    return sorted(action["dice"]) == wanted;
  }
  if (action["type"].is("challenge")) {
    std::vector<double> money = sorted(view["money"][action["seat"].index()]);
    return money.empty() ? 0 : money.back();
  }
  return action["type"].is("pass");
}

const double UNKNOWN = -1;

// The number of the card that an action turns up, UNKNOWN if I cannot know it.
double trio_number(const Json& view, const Json& action) {
  if (action["type"].is("reveal")) {
    const Json& card = view["centre"][action["slot"].index()];
    return card.kind == Json::null ? UNKNOWN : card.value;
  }
  bool low = action["end"].is("low"), own = action["seat"].value == view["seat"].value;
  const Json& known = view["known"][action["seat"].index()];
  const Json& cards = own ? view["hand"] : known["cards"];
  if (cards.items.empty()) return UNKNOWN;
  double card = low ? cards.items.front().value : cards.items.back().value;
  bool certain = own || known["unknown"].value == 0 ||
                 (low ? card <= known["low"].value : card >= known["high"].value);
  return certain ? card : UNKNOWN;
}

// Go on with a card known to be equal; begin with the number known in most places.
double trio(const Json& view, const Json& action) {
  if (action["type"].is("offer") || action["type"].is("pass")) return action["type"].is("pass");
  double number = trio_number(view, action);
  const Json& revealed = view["revealed"];
  if (revealed.size()) return number == revealed[0]["number"].value ? 2 : number == UNKNOWN ? 1 : 0;
  if (number == UNKNOWN) return 1;
  double places = 0;
  for (const Json& other : view["legal"].items) places += trio_number(view, other) == number;
  return places;
}

// Open the richest safe; else take a key for the safe with most loot per missing key.
double cash(const Json& view, const Json& action) {
  if (action["type"].is("choose")) {
    std::set<std::string> colours;
    for (const Json& key : action["keys"].items) colours.insert(key.text);
    return static_cast<double>(colours.size());
  }
  if (action["type"].is("open")) return 100 + view["display"][action["safe"].index()]["loot"].value;
  if (!action["type"].is("take")) return 0;
  const std::string colours[] = {"red", "green", "yellow", "blue"};
  double best = 0;
  for (const Json& safe : view["display"].items) {
    if (safe.kind == Json::null) continue;
    double missing = 0;
    bool useful = false;
    for (size_t key = 0; key < 4; key++) {
      double lack = std::max(0.0, safe["keys"][key].value - view["keys"][key].value);
      missing += lack;
      useful = useful || (lack > 0 && action["colour"].is(colours[key]));
    }
    if (useful) best = std::max(best, safe["loot"].value / missing);
  }
  return best;
}

using Rule = double (*)(const Json& view, const Json& action);
const std::map<std::string, Rule> rules = {
    {"lasvegas", lasvegas}, {"cincinnati", cincinnati}, {"trio", trio}, {"cash", cash}};
std::map<std::string, Rule> matches;

const Json& choose(Rule rule, const Json& view) {
  const Json* best = nullptr;
  double most = 0;
  for (const Json& action : view["legal"].items) {
    double worth = rule(view, action);
    if (!best || worth > most) best = &action, most = worth;
  }
  if (!best) throw std::runtime_error("there is no legal action");
  return *best;
}

void say(const std::string& line) { std::cout << line << std::endl; }

std::string raw(const Json& json) { return std::string(json.raw); }

// Answers a message of the arena; false when it was the last.
bool answer(const Json& message) {
  const Json& type = message["type"];
  if (type.is("hello")) {
    const std::string& protocol = message["protocol"].text;
    if (protocol.substr(0, protocol.find('.')) != "1")
      throw std::runtime_error("this bot speaks protocol 1, not " + protocol);
    std::string games;
    for (const auto& [game, rule] : rules) games += (games.empty() ? "\"" : ",\"") + game + "\"";
    say(R"({"type":"hello","protocol":"1.0","name":")" + NAME + R"(","games":[)" + games + "]}");
  } else if (type.is("start")) {
    matches[message["match"].text] = rules.at(message["game"].text);
  } else if (type.is("decide")) {
    const Json& action = choose(matches.at(message["match"].text), message["view"]);
    say(R"({"type":"action","match":)" + raw(message["match"]) + R"(,"number":)" +
        raw(message["number"]) + R"(,"action":)" + raw(action) + "}");
  } else if (type.is("finish")) {
    matches.erase(message["match"].text);
    say(R"({"type":"finish","match":)" + raw(message["match"]) + "}");
  } else if (type.is("error")) {
    matches.erase(message["match"].text);
    std::cerr << "the arena says: " << message["message"].text << std::endl;
  } else if (!type.is("bye")) {
    throw std::runtime_error("unknown message type " + raw(type));
  }
  return !type.is("bye");
}

// The text as a JSON string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char letter : text)
    if (letter == '"' || letter == '\\')
      (result += '\\') += letter;
    else
      result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  return result + "\"";
}

int main() {
  std::ios::sync_with_stdio(false);
  try {
    for (std::string line; std::getline(std::cin, line);)
      if (!answer(Reader(line).read())) return 0;
  } catch (const std::exception& error) {
    say(R"({"type":"error","message":)" + quoted(error.what()) + "}");
    return 1;
  }
}
