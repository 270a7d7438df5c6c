package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

var timestampForm, signatureForm = regexp.MustCompile(`^\d{1,12}$`), regexp.MustCompile(`^v1=[0-9a-fA-F]{64}$`)

// Verify gives the event of a delivery; an error's text is one of the codes of vectors.json.
func Verify(body []byte, headers http.Header, secrets []string, tolerance time.Duration, now time.Time) (map[string]any, error) {
	timestamp, signature := headers.Get("x-timestamp"), headers.Get("x-signature")
	if len(secrets) == 0 {
		return nil, errors.New("missing_secret")
	} else if timestamp == "" || signature == "" {
		return nil, errors.New("missing_header")
	} else if !timestampForm.MatchString(timestamp) || !signatureForm.MatchString(signature) {
		return nil, errors.New("malformed_header")
	}
	given, _ := hex.DecodeString(signature[len("v1="):])
	matches := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "."))
		mac.Write(body)
		matches = hmac.Equal(mac.Sum(nil), given) || matches
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if !matches {
		return nil, errors.New("no_matching_signature")
	} else if age := now.Unix() - seconds; age > int64(tolerance.Seconds()) || -age > int64(tolerance.Seconds()) {
		return nil, errors.New("stale_timestamp")
	}
	var parsed any
	if !utf8.Valid(body) || json.Unmarshal(body, &parsed) != nil {
		return nil, errors.New("body_not_json")
	}
	event, _ := parsed.(map[string]any)
	_, isMerchants := event["event"].(string)
	_, hasType := event["event_type"].(string)
	_, hasId := event["event_id"].(string)
	if !isMerchants && !(hasType && hasId) {
		return nil, errors.New("unknown_envelope")
	}
	return event, nil
}

// Inbox knows what has come already. Keep it in the database of your orders, in the transaction of your own write.
type Inbox struct {
	lock   sync.Mutex
	seen   map[string]bool
	latest map[string]float64
}

// Take tells whether to work on an event: not on a repetition, nor on one older than what its object had applied.
func (inbox *Inbox) Take(event map[string]any) bool {
	inbox.lock.Lock()
	defer inbox.lock.Unlock()
	id, _ := event["event_id"].(string)
	if id == "" {
		id, _ = event["eventId"].(string)
	}
	if inbox.seen[id] {
		return false
	}
	inbox.seen[id] = id != ""
	sequence, hasSequence := event["sequence"].(float64)
	if !hasSequence || event["event"] == "risk_alert" || event["event"] == "test" {
		return true
	}
	object, isOrder := event["order"].(map[string]any)
	if !isOrder {
		object, _ = event["data"].(map[string]any)
	}
	subject, _ := object["id"].(string)
	if sequence < inbox.latest[subject] {
		return false
	}
	inbox.latest[subject] = sequence
	return true
}

var inbox = Inbox{seen: map[string]bool{}, latest: map[string]float64{}}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil {
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	event, err := Verify(body, request.Header, strings.Fields(os.Getenv("WEBHOOK_SECRET")), 300*time.Second, time.Now())
	if err != nil && err.Error() == "missing_secret" {
		response.WriteHeader(http.StatusInternalServerError)
	} else if err != nil {
		response.WriteHeader(http.StatusBadRequest)
	} else if !inbox.Take(event) {
		return
	}
	log.Println(event, err) // store the event, and work on it after the answer
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(receive)))
}
